// The latest report of a community that may end with a generation, whole; children are the labels, in the next generation, of the communities whose reports it cites
// params: corpus, key, generation
// returns: report CarriedReport{key string?, level int?, title string?, summary string?, full_content string?, rating float?, rating_explanation string?, model string?, n_tokens int?, terms string?, embedding vector? > Vector, embed_fp string?, records []int64?},
//   todo_embed bool, community {key string?}, findings []graph.Finding{finding}, references citations, children []{report string?, label string?}
MATCH (c:Community {key: $key, corpus: $corpus})-[:HAS_REPORT]->(r) USING INDEX SEEK c:Community(key)
WHERE coalesce(r.until, $generation) = $generation
WITH c, r ORDER BY r.since DESC LIMIT 1
RETURN
  r {.key, .level, .title, .summary, .full_content, .rating, .rating_explanation, .model, .n_tokens, .terms, .embedding, .embed_fp, .records} AS report,
  r.todo_embed IS NOT NULL AS todo_embed,
  c {.key} AS community,
  COLLECT {
    MATCH (r)-[:HAS_FINDING]->(f:Finding)
    WITH f ORDER BY f.order
    RETURN f {.summary, .explanation}
  } AS findings,
  COLLECT {
    MATCH (r)-[x:CITES]->(t)
    RETURN [x.n, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), t.key]
  } AS references,
  COLLECT {
    MATCH (r)-[:CITES]->(t:Report)<-[:HAS_REPORT]-(child)
    RETURN {report: t.key, label: coalesce(child.next_label, child.label)}
  } AS children
