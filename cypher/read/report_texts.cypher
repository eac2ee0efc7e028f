// Reports by their keys, with findings and references
// params: corpus, keys
// returns graph.Report: report {report}, findings []graph.Finding{finding}, references citations
MATCH (r:Report)
WHERE r.key IN $keys AND r.corpus = $corpus
RETURN
  r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .rating_explanation, .model, .n_tokens} AS report,
  COLLECT {
    MATCH (r)-[:HAS_FINDING]->(f:Finding)
    WITH f ORDER BY f.order
    RETURN f {.summary, .explanation}
  } AS findings,
  COLLECT {
    MATCH (r)-[x:CITES]->(t)
    RETURN [x.n, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), t.key]
  } AS references
ORDER BY r.key
