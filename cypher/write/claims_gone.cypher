// Delete the claims that chunks no longer state, after marking the communities of their ends
// params: corpus, rows
UNWIND $rows AS row
MATCH (chunk:Chunk {key: row.key})-[:STATES]->(c) USING INDEX SEEK chunk:Chunk(key)
WHERE NOT c.key IN row.keep
CALL (c) {
  MATCH (c)-[:SUBJECT|OBJECT]->()-[:IN_COMMUNITY]->(k)
  SET k.todo_report = $corpus
  RETURN count(*) AS marked
}
CALL (c) {
  MATCH (c)<-[:CITES]-()<-[:HAS_REPORT]-(k)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
DETACH DELETE c
