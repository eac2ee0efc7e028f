// Relationships to describe with their mentions' descriptions, in key order
// params: corpus, after, limit
MATCH (r:Relationship) USING INDEX SEEK r:Relationship(todo_describe, key)
WHERE r.todo_describe = $corpus AND r.key > $after
WITH r ORDER BY r.todo_describe, r.key LIMIT $limit
RETURN r.key AS key, r.keywords AS keywords, r.describe_fp AS describe_fp,
  head(COLLECT { MATCH (r)-[:SOURCE]->(s:Entity) RETURN s {.key, .name} }) AS source,
  head(COLLECT { MATCH (r)-[:TARGET]->(t:Entity) RETURN t {.key, .name} }) AS target,
  COLLECT { MATCH (r)<-[m:MENTIONS]-() RETURN m.descriptions } AS mentions
