// Delete the claims that chunks no longer state, after marking the communities of their ends
// params: corpus, rows
UNWIND $rows AS row
MATCH (x:Chunk {key: row.key})
WITH row, x
MATCH (x)-[:STATES]->(c)
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
