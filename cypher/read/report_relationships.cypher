// Relationships with both ends in a community
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key, corpus: $corpus}) USING INDEX SEEK k:Community(key)
WITH key, k
MATCH (k)<-[:IN_COMMUNITY]-(s)
WITH key, k, s
MATCH (s)-[x:RELATED]->(t)
WHERE EXISTS { (t)-[:IN_COMMUNITY]->(k) }
WITH key, s, x, t
MATCH (r:Relationship {key: x.key}) USING INDEX SEEK r:Relationship(key)
RETURN key AS community, r {.key, .description, .keywords, .weight, .strength, .n_tokens} AS relationship,
  s.key AS source, s.name AS source_name, t.key AS target, t.name AS target_name
