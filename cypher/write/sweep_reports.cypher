// Delete the first reports that ended, with their findings; reports that still cite them are to be written again
// params: corpus, generation, limit
// returns: n
MATCH (r:Report) USING INDEX SEEK r:Report(gone, key)
WHERE r.gone = $corpus AND r.key > '' AND r.until <= $generation
WITH r ORDER BY r.gone, r.key LIMIT $limit
CALL (r) {
  MATCH (r)<-[:HAS_REPORT]-(k:Community)
  WHERE k.until <= $generation
  MATCH (r)<-[:CITES]-(y:Report)<-[:HAS_REPORT]-(x:Community)
  WHERE y.until IS NULL
  SET x.todo_report = $corpus
  REMOVE x.report_fp
  RETURN count(*) AS cited
}
OPTIONAL MATCH (r)-[:HAS_FINDING]->(f:Finding)
DETACH DELETE f, r
RETURN count(DISTINCT r) AS n
