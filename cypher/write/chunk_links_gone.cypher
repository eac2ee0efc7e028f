// Delete links from the former neighbours of chunks
// params: rows
UNWIND $rows AS row
MATCH (x)-[r:FIRST_CHUNK|NEXT_CHUNK]->(:Chunk {key: row.key})
WHERE x.key <> row.before
DELETE r
