// Entities of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key, corpus: $corpus})
WITH key, k
MATCH (k)<-[:IN_COMMUNITY]-(e)
RETURN key AS community, e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS entity
