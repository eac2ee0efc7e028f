// End edges to parents with the next generation; delete those written for that generation
// params: rows, next
UNWIND $rows AS row
MATCH (:Community {key: row.key})-[p:PARENT_COMMUNITY]->(:Community {key: row.parent})
FOREACH (x IN CASE WHEN p.since = $next THEN [p] ELSE [] END | DELETE x)
FOREACH (x IN CASE WHEN p.since < $next THEN [p] ELSE [] END | SET x.until = $next)
