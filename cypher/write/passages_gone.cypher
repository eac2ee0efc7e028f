// Delete the passages that chunks no longer have
// params: rows
UNWIND $rows AS row
MATCH (:Chunk {key: row.key})-[:HAS_PASSAGE]->(p)
WHERE NOT p.key IN row.keep
DETACH DELETE p
