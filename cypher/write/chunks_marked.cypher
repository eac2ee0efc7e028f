// Before chunks are deleted: mark everything derived from their mentions and claims, and invalidate reports that cite them
// params: corpus, keys
UNWIND $keys AS key
MATCH (c:Chunk {key: key})
CALL (c) {
  MATCH (c)-[:MENTIONS]->(x:Entity|Relationship)
  SET x.todo_derive = $corpus
  RETURN count(*) AS derive
}
CALL (c) {
  MATCH (c)-[:STATES]->(:Claim)-[:SUBJECT|OBJECT]->(:Entity)-[:IN_COMMUNITY]->(k:Community)
  SET k.todo_report = $corpus
  RETURN count(*) AS report
}
CALL (c) {
  MATCH (c)-[:STATES]->{0,1}(x)<-[:CITES]-(:Report)<-[:HAS_REPORT]-(k:Community)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
RETURN count(*) AS n
