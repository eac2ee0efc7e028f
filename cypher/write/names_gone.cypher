// Delete the edges of the sentences of chunks to entities that they no longer name
// params: rows
UNWIND $rows AS row
MATCH (chunk:Chunk {key: row.key})-[:HAS_SENTENCE]->(s) USING INDEX SEEK chunk:Chunk(key)
MATCH (s)-[r:NAMES]->(e)
WHERE NOT e.key IN coalesce(row.names[s.key], [])
DELETE r
