// Delete the sentences that chunks no longer have
// params: rows
UNWIND $rows AS row
MATCH (chunk:Chunk {key: row.key})-[:HAS_SENTENCE]->(s) USING INDEX SEEK chunk:Chunk(key)
WHERE NOT s.key IN row.keep
DETACH DELETE s
