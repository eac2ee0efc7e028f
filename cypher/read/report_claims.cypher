// Claims about members of communities, without those whose name or quote no chunk holds
// params: corpus, keys
// returns: key string?, object string?, claim graph.Claim{claim}
UNWIND $keys AS key
MATCH (s:Entity {key: key, corpus: $corpus})<-[:SUBJECT]-(c) USING INDEX SEEK s:Entity(key)
WHERE s.absent IS NULL AND c.absent IS NULL
RETURN key, head(COLLECT { MATCH (c)-[:OBJECT]->(o) RETURN o.key }) AS object,
  c {.key, .type, .status, .description, .start_date, .end_date, .subject, .object, .n_tokens} AS claim
