// Delete relationships without one of their ends, and mark the chunks that mention them to be extracted
// params: corpus, keys
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.topology, 0) + 1 AS topology
UNWIND $keys AS key
MATCH (r:Relationship {key: key}) USING INDEX SEEK r:Relationship(key)
CALL (r) {
  MATCH (c:Chunk)-[:MENTIONS]->(r)
  SET c.todo_extract = $corpus
  REMOVE c.extract_fp, c.extract_sum
  RETURN count(*) AS chunks
}
CALL (r, topology) {
  MATCH (r)-[:SOURCE|TARGET]->(e:Entity)
  SET e.todo_derive = $corpus, e.topology = topology
  REMOVE e.derive_fp
  WITH r, e
  MATCH (e)-[x:RELATED]-()
  WHERE x.key = r.key
  DELETE x
  RETURN count(*) AS edges
}
CALL (r) {
  MATCH (r)<-[:CITES]-(:Report)<-[:HAS_REPORT]-(k:Community)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
DETACH DELETE r
