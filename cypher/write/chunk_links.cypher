// Link chunks to the ones after them
// params: rows
UNWIND $rows AS row
MATCH (a:Chunk {key: row.before})
MATCH (b:Chunk {key: row.key})
MERGE (a)-[:NEXT_CHUNK]->(b)
RETURN count(*) AS n
