// Delete claims, and mark the chunks that state them to be extracted
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Claim {key: key}) USING INDEX SEEK k:Claim(key)
CALL (k) {
  MATCH (c:Chunk)-[:STATES]->(k)
  SET c.todo_extract = $corpus
  REMOVE c.extract_fp, c.extract_sum
  RETURN count(*) AS chunks
}
CALL (k) {
  MATCH (k)-[:SUBJECT|OBJECT]->(:Entity)-[:IN_COMMUNITY]->(y:Community)
  SET y.todo_report = $corpus
  RETURN count(*) AS marked
}
CALL (k) {
  MATCH (k)<-[:CITES]-(:Report)<-[:HAS_REPORT]-(y:Community)
  SET y.todo_report = $corpus
  REMOVE y.report_fp
  RETURN count(*) AS cited
}
DETACH DELETE k
