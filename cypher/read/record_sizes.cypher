// Tokens of the entities, relationships and claims of a corpus
// params:
// returns: tokens int
// scan: adds up the corpus' own records; only asked for a corpus whose text fits into a context
CALL () {
  MATCH (n:Entity___corpus__) RETURN sum(n.n_tokens) AS part
  UNION ALL
  MATCH (n:Relationship___corpus__) RETURN sum(n.n_tokens) AS part
  UNION ALL
  MATCH (n:Claim___corpus__) RETURN sum(n.n_tokens) AS part
}
RETURN sum(part) AS tokens
