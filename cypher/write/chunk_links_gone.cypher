// Links from a chunk's former neighbours
// params: rows
UNWIND $rows AS row
MATCH (x)-[r:FIRST_CHUNK|NEXT_CHUNK]->(:Chunk {key: row.key})
WHERE x.key <> row.before
DELETE r
