// Relationships to members of communities
// params: corpus, keys
// returns: key string?, name string?, relationships list
UNWIND $keys AS key
MATCH (t:Entity {key: key, corpus: $corpus}) USING INDEX SEEK t:Entity(key)
RETURN key, t.name AS name, COLLECT {
  MATCH (t)<-[x:RELATED]-(s)
  MATCH (r:Relationship {key: x.key}) USING INDEX SEEK r:Relationship(key)
  RETURN [r.key, s.key, s.name, r.description, r.weight, r.n_tokens, r.strength]
} AS relationships
