// Marked relationships with their evidence, in key order
// params: corpus, after, limit
MATCH (r:Relationship) USING INDEX SEEK r:Relationship(todo_derive, key)
WHERE r.todo_derive = $corpus AND r.key > $after
WITH r ORDER BY r.todo_derive, r.key LIMIT $limit
RETURN r.key AS key, r.derive_fp AS derive_fp,
  head(COLLECT { MATCH (r)-[:SOURCE]->(s:Entity) RETURN s.key }) AS source,
  head(COLLECT { MATCH (r)-[:TARGET]->(t:Entity) RETURN t.key }) AS target,
  COLLECT { MATCH (r)<-[m:MENTIONS]-() RETURN m {.descriptions, .keywords, .strength, .count, .forward} } AS mentions
