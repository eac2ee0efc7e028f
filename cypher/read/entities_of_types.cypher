// Those of some entities that have one of some types
// params: corpus, keys, types
// returns: key string?
UNWIND $keys AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
WHERE e.type IN $types
RETURN e.key AS key
