// A page of communities in key order that are valid in a generation, with their reports, findings and references
// params: corpus, after, end, limit, generation
// returns graph.Report: report {report}?, community {key string? > Community}, findings []graph.Finding{finding}, references citations
MATCH (c:Community)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
  AND c.since <= $generation AND coalesce(c.until, 9007199254740992) > $generation
WITH c ORDER BY c.key LIMIT $limit
OPTIONAL MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
RETURN
  r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .rating_explanation, .model, .n_tokens} AS report,
  c {.key, .level, .ordinal, .label} AS community,
  COLLECT {
    MATCH (r)-[:HAS_FINDING]->(f:Finding)
    WITH f ORDER BY f.order
    RETURN f {.summary, .explanation}
  } AS findings,
  COLLECT {
    MATCH (r)-[x:CITES]->(t)
    RETURN [x.n, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), t.key]
  } AS references
ORDER BY c.key
