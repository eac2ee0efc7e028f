// Entities to describe with their mentions' descriptions, in key order
// params: corpus, after, limit
MATCH (e:Entity) USING INDEX SEEK e:Entity(todo_describe, key)
WHERE e.todo_describe = $corpus AND e.key > $after
WITH e ORDER BY e.todo_describe, e.key LIMIT $limit
RETURN e.key AS key, e.name AS name, e.type AS type, e.describe_fp AS describe_fp,
  COLLECT { MATCH (e)<-[m:MENTIONS]-() RETURN m.descriptions } AS mentions
