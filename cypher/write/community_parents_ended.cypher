// End edges to parents with the next generation; delete those written for that generation
// params: rows, next
UNWIND $rows AS row
MATCH (k:Community {key: row.key})-[p:PARENT_COMMUNITY]->(parent:Community {key: row.parent}) USING INDEX SEEK k:Community(key) USING INDEX SEEK parent:Community(key)
FOREACH (x IN CASE WHEN p.since = $next THEN [p] ELSE [] END | DELETE x)
FOREACH (x IN CASE WHEN p.since < $next THEN [p] ELSE [] END | SET x.until = $next)
