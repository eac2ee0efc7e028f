// Edges to parents that end with the next generation, or that were made for it and go
// params: rows, next
UNWIND $rows AS row
MATCH (:Community {key: row.key})-[p:PARENT_COMMUNITY]->(:Community {key: row.parent})
FOREACH (x IN CASE WHEN p.since = $next THEN [p] ELSE [] END | DELETE x)
FOREACH (x IN CASE WHEN p.since < $next THEN [p] ELSE [] END | SET x.until = $next)
