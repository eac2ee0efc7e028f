// Link chunks to the ones after them
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (a:Chunk {key: row.before}) USING INDEX SEEK a:Chunk(key)
MATCH (b:Chunk {key: row.key}) USING INDEX SEEK b:Chunk(key)
MERGE (a)-[:NEXT_CHUNK]->(b)
RETURN count(*) AS n
