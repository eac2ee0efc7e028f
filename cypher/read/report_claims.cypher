// Claims about the entities of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key, corpus: $corpus}) USING INDEX SEEK k:Community(key)
WITH key, k
MATCH (k)<-[:IN_COMMUNITY]-(s)
WITH key, s
MATCH (s)<-[:SUBJECT]-(c)
RETURN key AS community, s.key AS subject, head(COLLECT { MATCH (c)-[:OBJECT]->(o) RETURN o.key }) AS object,
  head(COLLECT { MATCH (c)<-[:STATES]-(x) RETURN x.key }) AS chunk,
  c {.key, .type, .status, .description, .source_text, .start_date, .end_date, .subject, .object, .n_tokens} AS claim
