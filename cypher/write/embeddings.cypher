// Vectors
// params: rows
// returns: n
// for: Chunk, Entity, Relationship, Report, Sentence
UNWIND $rows AS row
MATCH (n:__Kind__ {key: row.key}) USING INDEX SEEK n:__Kind__(key)
SET n.embedding = CASE WHEN row.vector IS NULL THEN null ELSE n.embedding END, n.embed_fp = row.fp
REMOVE n.todo_embed, n.embed_error
WITH n, row
CALL (n, row) {
  WITH n, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.vector)
}
RETURN count(*) AS n
