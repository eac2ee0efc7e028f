// Before chunks are deleted: mark everything derived from their mentions and claims, and invalidate reports that cite them
// params: corpus, keys
// returns: n
UNWIND $keys AS key
MATCH (c:Chunk {key: key}) USING INDEX SEEK c:Chunk(key)
CALL (c) {
  MATCH (c)-[:MENTIONS]->(x)
  SET x.todo_derive = $corpus
  RETURN count(*) AS derive
}
CALL (c) {
  MATCH (c)-[:MENTIONS]->(:Entity)-[:IN_COMMUNITY]->(k)
  SET k.todo_report = $corpus
  RETURN count(*) AS placed
}
CALL (c) {
  MATCH (c)-[:STATES]->()-[:SUBJECT|OBJECT]->()-[:IN_COMMUNITY]->(k)
  SET k.todo_report = $corpus
  RETURN count(*) AS report
}
CALL (c) {
  MATCH (c)-[:STATES]->{0,1}(x)<-[:CITES]-()<-[:HAS_REPORT]-(k)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
CALL (c) {
  MATCH (c)-[:HAS_QUERY]->()<-[:SIMILAR_QUERY]-(q)
  SET q.todo_link = $corpus
  RETURN count(*) AS unlinked
}
RETURN count(*) AS n
