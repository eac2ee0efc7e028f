// Delete the findings and citations of reports that are rewritten
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (r:Report {key: row.report}) USING INDEX SEEK r:Report(key)
CALL (r) {
  MATCH (r)-[:HAS_FINDING]->(f)
  DETACH DELETE f
  RETURN count(*) AS findings
}
CALL (r) {
  MATCH (r)-[c:CITES]->()
  DELETE c
  RETURN count(*) AS references
}
RETURN count(*) AS n
