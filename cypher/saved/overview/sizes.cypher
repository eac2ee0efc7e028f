// Overview: sizes in tokens
// params: corpus
// about: The tokens in the texts of each kind: total, maximum and mean. Only reports of the visible generation are counted. The context of an answer is counted in the same tokens.
// scan: sizes have no index; only the corpus' own nodes are read
CALL () {
  MATCH (n:Document___corpus__)
  RETURN count(n) AS nodes, sum(n.n_tokens) AS tokens, max(n.n_tokens) AS longest
}
RETURN 'Document' AS kind, nodes, tokens, longest, CASE nodes WHEN 0 THEN 0.0 ELSE round(1.0 * tokens / nodes, 1) END AS mean
UNION ALL
CALL () {
  MATCH (n:Chunk___corpus__)
  RETURN count(n) AS nodes, sum(n.n_tokens) AS tokens, max(n.n_tokens) AS longest
}
RETURN 'Chunk' AS kind, nodes, tokens, longest, CASE nodes WHEN 0 THEN 0.0 ELSE round(1.0 * tokens / nodes, 1) END AS mean
UNION ALL
CALL () {
  MATCH (n:Entity___corpus__)
  RETURN count(n) AS nodes, sum(n.n_tokens) AS tokens, max(n.n_tokens) AS longest
}
RETURN 'Entity' AS kind, nodes, tokens, longest, CASE nodes WHEN 0 THEN 0.0 ELSE round(1.0 * tokens / nodes, 1) END AS mean
UNION ALL
CALL () {
  MATCH (n:Relationship___corpus__)
  RETURN count(n) AS nodes, sum(n.n_tokens) AS tokens, max(n.n_tokens) AS longest
}
RETURN 'Relationship' AS kind, nodes, tokens, longest, CASE nodes WHEN 0 THEN 0.0 ELSE round(1.0 * tokens / nodes, 1) END AS mean
UNION ALL
CALL () {
  MATCH (n:Claim___corpus__)
  RETURN count(n) AS nodes, sum(n.n_tokens) AS tokens, max(n.n_tokens) AS longest
}
RETURN 'Claim' AS kind, nodes, tokens, longest, CASE nodes WHEN 0 THEN 0.0 ELSE round(1.0 * tokens / nodes, 1) END AS mean
UNION ALL
CALL () {
  MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
  WITH coalesce(k.generation, 0) AS g
  MATCH (n:Report___corpus__)
  WHERE n.since <= g AND coalesce(n.until, 9007199254740992) > g
  RETURN count(n) AS nodes, sum(n.n_tokens) AS tokens, max(n.n_tokens) AS longest
}
RETURN 'Report' AS kind, nodes, tokens, longest, CASE nodes WHEN 0 THEN 0.0 ELSE round(1.0 * tokens / nodes, 1) END AS mean
