// Delete relationships without mentions, after marking what depends on them
// params: corpus, keys, outside
// returns relationshipsRow: edges int
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.topology, 0) + 1 AS topology
UNWIND $keys AS key
MATCH (r:Relationship {key: key}) USING INDEX SEEK r:Relationship(key)
WHERE NOT EXISTS { (r)<-[:MENTIONS]-() }
OPTIONAL MATCH (r)-[:SOURCE]->(s)
OPTIONAL MATCH (r)-[:TARGET]->(t)
SET s.todo_derive = $corpus, t.todo_derive = $corpus, s.topology = topology, t.topology = topology
WITH r, s, t, key
CALL (s, t) {
  UNWIND CASE WHEN $outside THEN [s, t] ELSE [s] END AS member
  MATCH (member)-[:IN_COMMUNITY]->(k)
  WHERE $outside OR EXISTS { (t)-[:IN_COMMUNITY]->(k) }
  SET k.todo_report = $corpus
  RETURN count(*) AS marked
}
CALL (r) {
  MATCH (r)<-[:CITES]-()<-[:HAS_REPORT]-(k)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
OPTIONAL MATCH (s)-[e:RELATED]->(t)
WHERE e.key = key
DELETE e
DETACH DELETE r
RETURN count(e) AS edges
