// Edges to parents that begin with the next generation, or whose end is undone
// params: rows, next
// returns: n
UNWIND $rows AS row
MATCH (k:Community {key: row.key}) USING INDEX SEEK k:Community(key)
MATCH (parent:Community {key: row.parent}) USING INDEX SEEK parent:Community(key)
MERGE (k)-[p:PARENT_COMMUNITY]->(parent)
ON CREATE SET p.since = $next
REMOVE p.until
RETURN count(*) AS n
