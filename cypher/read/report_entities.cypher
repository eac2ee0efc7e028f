// Entities of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key, corpus: $corpus})<-[:IN_COMMUNITY]-(e) USING INDEX SEEK k:Community(key)
RETURN key AS community, e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS entity
