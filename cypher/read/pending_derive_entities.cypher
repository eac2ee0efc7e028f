// Marked entities with their evidence, in key order
// params: corpus, after, limit
MATCH (e:Entity) USING INDEX SEEK e:Entity(todo_derive, key)
WHERE e.todo_derive = $corpus AND e.key > $after
WITH e ORDER BY e.todo_derive, e.key LIMIT $limit
RETURN e.key AS key, e.derive_fp AS derive_fp, e.name AS name, e.type AS type, COUNT { (e)-[:RELATED]-() } AS degree,
  COLLECT { MATCH (e)<-[m:MENTIONS]-() RETURN m {.names, .types, .descriptions} } AS mentions
