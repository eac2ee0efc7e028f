// Vectors
// params: rows
// for: Chunk, Entity, Relationship, Report
UNWIND $rows AS row
MATCH (n:__Kind__ {key: row.key})
SET n.embedding = row.vector, n.embed_fp = row.fp
REMOVE n.todo_embed, n.embed_error
RETURN count(*) AS n
