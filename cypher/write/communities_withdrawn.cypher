// Delete communities of an unfinished generation that are no longer wanted, with their reports
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key}) USING INDEX SEEK k:Community(key)
CALL (k) {
  MATCH (k)-[:HAS_REPORT]->()<-[:CITES]-()<-[:HAS_REPORT]-(x)
  SET x.todo_report = $corpus
  REMOVE x.report_fp
  RETURN count(*) AS cited
}
OPTIONAL MATCH (k)-[:HAS_REPORT]->(r)
OPTIONAL MATCH (r)-[:HAS_FINDING]->(f)
DETACH DELETE f, r, k
