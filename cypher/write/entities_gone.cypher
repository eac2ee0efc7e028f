// Delete entities without mentions, and invalidate reports that cite them
// params: corpus, keys
UNWIND $keys AS key
MATCH (e:Entity {key: key}) USING INDEX SEEK e:Entity(key)
WHERE NOT EXISTS { (e)<-[:MENTIONS]-() }
CALL (e) {
  MATCH (e)<-[:CITES]-()<-[:HAS_REPORT]-(k)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
DETACH DELETE e
