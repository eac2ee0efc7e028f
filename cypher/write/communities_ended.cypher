// End communities with the next generation, with their reports and edges to parents; delete reports written for that generation
// params: corpus, keys, next
// returns: n
UNWIND $keys AS key
MATCH (k:Community {key: key}) USING INDEX SEEK k:Community(key)
SET k.until = $next, k.gone = $corpus
WITH k
CALL (k) {
  MATCH (k)-[:HAS_REPORT]->(r)<-[:CITES]-()<-[:HAS_REPORT]-(x)
  SET x.todo_report = $corpus, x.report_fp = CASE r.since WHEN $next THEN null ELSE x.report_fp END
  RETURN count(*) AS cited
}
CALL (k) {
  MATCH (k)-[:HAS_REPORT]->(r)
  WHERE r.since = $next
  OPTIONAL MATCH (r)-[:HAS_FINDING]->(f)
  REMOVE k.report_fp
  DETACH DELETE f, r
  RETURN count(*) AS withdrawn
}
CALL (k) {
  MATCH (k)-[:HAS_REPORT]->(r)
  WHERE r.until IS NULL
  SET r.until = $next, r.gone = $corpus
  RETURN count(*) AS reports
}
CALL (k) {
  MATCH (k)-[p:PARENT_COMMUNITY]-()
  WHERE p.until IS NULL
  SET p.until = $next
  RETURN count(*) AS parents
}
RETURN count(*) AS n
