// Delete nodes that belong to nothing, and invalidate reports that cite them, or that may have lost a finding
// params: corpus, keys
// for: Passage, Report, Finding, Query, Sentence
UNWIND $keys AS key
MATCH (n:__Kind__ {key: key}) USING INDEX SEEK n:__Kind__(key)
CALL (n) {
  MATCH (n)<-[:CITES]-(:Report)<-[:HAS_REPORT]-(k:Community)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
CALL (n) {
  MATCH (n)-[:CITES]->()<-[:CITES]-(:Report)<-[:HAS_REPORT]-(k:Community)
  WHERE n:Finding
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS lost
}
CALL (n) {
  MATCH (p)-[:SIMILAR_QUERY]->(n)
  SET p.todo_link = $corpus
  RETURN count(*) AS unlinked
}
OPTIONAL MATCH (n)-[:HAS_FINDING]->(f:Finding)
DETACH DELETE f, n
