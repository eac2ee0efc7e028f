// Delete links from the former neighbours of chunks
// params: rows
UNWIND $rows AS row
MATCH (x)-[r:FIRST_CHUNK|NEXT_CHUNK]->(c:Chunk {key: row.key}) USING INDEX SEEK c:Chunk(key)
WHERE x.key <> row.before
DELETE r
