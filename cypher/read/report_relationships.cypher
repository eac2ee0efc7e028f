// Relationships from members of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (s:Entity {key: key, corpus: $corpus}) USING INDEX SEEK s:Entity(key)
MATCH (s)-[x:RELATED]->(t)
MATCH (r:Relationship {key: x.key}) USING INDEX SEEK r:Relationship(key)
RETURN key, r {.key, .description, .keywords, .weight, .strength, .n_tokens} AS relationship,
  s.name AS source_name, t.key AS target, t.name AS target_name
