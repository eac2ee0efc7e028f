// Claims about members of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (s:Entity {key: key, corpus: $corpus})<-[:SUBJECT]-(c) USING INDEX SEEK s:Entity(key)
RETURN key, head(COLLECT { MATCH (c)-[:OBJECT]->(o) RETURN o.key }) AS object,
  head(COLLECT { MATCH (c)<-[:STATES]-(x) RETURN x.key }) AS chunk,
  c {.key, .type, .status, .description, .source_text, .start_date, .end_date, .subject, .object, .n_tokens} AS claim
