// Members of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
RETURN key, e.name AS name, e.type AS type, e.description AS description, e.n_tokens AS n_tokens
