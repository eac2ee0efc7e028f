// Delete the passages that chunks no longer have
// params: rows
UNWIND $rows AS row
MATCH (chunk:Chunk {key: row.key})-[:HAS_PASSAGE]->(p) USING INDEX SEEK chunk:Chunk(key)
WHERE NOT p.key IN row.keep
DETACH DELETE p
