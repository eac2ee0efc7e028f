// Relationships from members of communities, except of entities whose name no chunk holds
// params: corpus, keys
// returns: as read/report_incoming
UNWIND $keys AS key
MATCH (s:Entity {key: key, corpus: $corpus}) USING INDEX SEEK s:Entity(key)
WHERE s.absent IS NULL
RETURN key, s.name AS name, COLLECT {
  MATCH (s)-[x:RELATED]->(t)
  WHERE t.absent IS NULL
  MATCH (r:Relationship {key: x.key}) USING INDEX SEEK r:Relationship(key)
  RETURN [r.key, t.key, t.name, r.description, r.weight, r.n_tokens, r.strength]
} AS relationships
