// Reports that begin with the next generation; marks parents to be reported
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (k:Community {key: row.key}) USING INDEX SEEK k:Community(key)
MERGE (r:Report {key: row.report})
SET r = row.set, r:$('Report_' + $corpus)
MERGE (k)-[:HAS_REPORT]->(r)
SET k.report_fp = row.fp
REMOVE k.todo_report, k.report_error
WITH k, r, row
CALL (r, row) {
  WITH r, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(r, 'embedding', row.vector)
}
WITH k
CALL (k) {
  MATCH (k)-[p:PARENT_COMMUNITY]->(parent)
  WHERE p.until IS NULL
  SET parent.todo_report = $corpus
  RETURN count(*) AS marked
}
RETURN count(*) AS n
