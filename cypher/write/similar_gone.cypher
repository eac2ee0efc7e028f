// Delete the edges of pairs to what is no longer a neighbour
// params: rows
UNWIND $rows AS row
MATCH (q:Query {key: row.key})-[r:SIMILAR_QUERY]->(p) USING INDEX SEEK q:Query(key)
WHERE NOT p.key IN row.keep
DELETE r
