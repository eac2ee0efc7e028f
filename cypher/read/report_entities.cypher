// Members of communities
// params: corpus, members
UNWIND $members AS member
MATCH (e:Entity {key: member.key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
RETURN member.community AS community, e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS entity
