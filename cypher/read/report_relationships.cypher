// Relationships from members of communities to others of the same community
// params: corpus, members
UNWIND $members AS member
MATCH (s:Entity {key: member.key, corpus: $corpus}) USING INDEX SEEK s:Entity(key)
MATCH (s)-[x:RELATED]->(t)
WHERE EXISTS { (t)-[:IN_COMMUNITY]->(k) WHERE k.key = member.community }
WITH member.community AS key, s, x, t
MATCH (r:Relationship {key: x.key}) USING INDEX SEEK r:Relationship(key)
RETURN key AS community, r {.key, .description, .keywords, .weight, .strength, .n_tokens} AS relationship,
  s.key AS source, s.name AS source_name, t.key AS target, t.name AS target_name
