// Record the vectors of documents and that the documents similar to them are found
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (d:Document {key: row.key}) USING INDEX SEEK d:Document(key)
SET d.similar = row.neighbours, d.vector = CASE WHEN row.vector IS NULL THEN null ELSE d.vector END
REMOVE d.todo_documents, d.documents_error
WITH d, row
CALL (d, row) {
  WITH d, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(d, 'vector', row.vector)
}
RETURN count(*) AS n
