// Claims about members of communities
// params: corpus, members
UNWIND $members AS member
MATCH (s:Entity {key: member.key, corpus: $corpus})<-[:SUBJECT]-(c) USING INDEX SEEK s:Entity(key)
RETURN member.community AS community, s.key AS subject, head(COLLECT { MATCH (c)-[:OBJECT]->(o) RETURN o.key }) AS object,
  head(COLLECT { MATCH (c)<-[:STATES]-(x) RETURN x.key }) AS chunk,
  c {.key, .type, .status, .description, .source_text, .start_date, .end_date, .subject, .object, .n_tokens} AS claim
