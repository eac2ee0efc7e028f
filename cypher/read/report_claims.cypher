// Claims about members of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (s:Entity {key: key, corpus: $corpus})<-[:SUBJECT]-(c) USING INDEX SEEK s:Entity(key)
RETURN key, head(COLLECT { MATCH (c)-[:OBJECT]->(o) RETURN o.key }) AS object,
  c {.key, .type, .status, .description, .start_date, .end_date, .subject, .object, .n_tokens} AS claim
