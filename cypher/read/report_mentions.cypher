// Chunks that mention members of communities, with the names that they use
// params: corpus, keys
// returns: key string?, mentions list
UNWIND $keys AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
WHERE e.absent IS NULL
RETURN key, COLLECT { MATCH (e)<-[m:MENTIONS]-(c) RETURN [c.key, m.names] } AS mentions
