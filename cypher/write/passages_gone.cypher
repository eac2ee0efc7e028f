// Delete the passages that chunks no longer have
// params: rows
UNWIND $rows AS row
MATCH (c:Chunk {key: row.key})
WITH row, c
MATCH (c)-[:HAS_PASSAGE]->(p)
WHERE NOT p.key IN row.keep
DETACH DELETE p
