// Edges to parents that begin with the next generation, or whose end is undone
// params: rows, next
UNWIND $rows AS row
MATCH (k:Community {key: row.key})
MATCH (parent:Community {key: row.parent})
MERGE (k)-[p:PARENT_COMMUNITY]->(parent)
ON CREATE SET p.since = $next
REMOVE p.until
RETURN count(*) AS n
