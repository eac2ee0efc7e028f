// Members of communities, without those whose name no chunk holds
// params: corpus, keys
// returns graph.Entity: key string?, name string?, type string?, description string?, n_tokens int?
UNWIND $keys AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
WHERE e.absent IS NULL
RETURN key, e.name AS name, e.type AS type, e.description AS description, e.n_tokens AS n_tokens
