// Members of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
RETURN key, e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS entity
