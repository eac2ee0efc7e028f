// Delete documents whose chunks are deleted, after marking the documents that lose a similar one
// params: corpus, keys
UNWIND $keys AS key
MATCH (d:Document {key: key}) USING INDEX SEEK d:Document(key)
CALL (d) {
  MATCH (s:Document)-[:SIMILAR_DOCUMENT]->(d)
  SET s.todo_documents = $corpus
  RETURN count(*) AS marked
}
DETACH DELETE d
