// Claims with a date about some entities, of each the first by key
// params: corpus, keys, limit
// returns graph.Claim: subject string?, name string? > ClaimRecord.Subject, claim {key string?, description string?, start_date string?, end_date string?, n_tokens int?}
UNWIND $keys AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
CALL (e) {
  MATCH (e)<-[:SUBJECT]-(c)
  WHERE c.start_date IS NOT NULL
  RETURN c ORDER BY c.key LIMIT $limit
}
RETURN key AS subject, e.name AS name, c {.key, .description, .start_date, .end_date, .n_tokens} AS claim
ORDER BY claim.start_date, claim.key
