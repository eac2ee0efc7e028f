// Record that the pairs of chunks are made, with the vectors of the chunks and their questions
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.key}) USING INDEX SEEK c:Chunk(key)
SET c.queries_fp = row.queries_fp, c.pairs_fp = row.pairs_fp, c.queries = row.queries
REMOVE c.todo_queries, c.queries_error
WITH c, row
CALL (c, row) {
  WITH c, row WHERE row.d2q IS NOT NULL
  CALL db.create.setNodeVectorProperty(c, 'embedding_d2q', row.d2q)
}
CALL (c, row) {
  WITH c, row WHERE row.d2q_kept IS NOT NULL
  CALL db.create.setNodeVectorProperty(c, 'embedding_d2q_kept', row.d2q_kept)
}
RETURN count(*) AS n
