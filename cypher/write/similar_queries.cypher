// Neighbours of pairs
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (q:Query {key: row.key}) USING INDEX SEEK q:Query(key)
MATCH (p:Query {key: row.to}) USING INDEX SEEK p:Query(key)
MERGE (q)-[r:SIMILAR_QUERY]->(p)
SET r.score = row.score
RETURN count(*) AS n
