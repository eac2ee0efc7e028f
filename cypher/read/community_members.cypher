// Members of communities
// params: corpus, keys
// returns: key string?, members []string?
UNWIND $keys AS key
MATCH (k:Community {key: key, corpus: $corpus}) USING INDEX SEEK k:Community(key)
RETURN key, COLLECT { MATCH (k)<-[:IN_COMMUNITY]-(e) RETURN e.key } AS members
