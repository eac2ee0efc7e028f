// Reports of the children of communities, with findings and references
// params: corpus, generation, keys
// returns ReportRow: report {report} > Report, community {report_community}, parent string? > Community.Parent, findings []graph.Finding{finding}, references citations
UNWIND $keys AS key
MATCH (up:Community {key: key, corpus: $corpus})<-[p:PARENT_COMMUNITY]-(c:Community)-[:HAS_REPORT]->(r:Report) USING INDEX SEEK up:Community(key)
WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
  AND c.since <= $generation AND coalesce(c.until, 9007199254740992) > $generation
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
RETURN
  r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .rating_explanation, .model, .n_tokens} AS report,
  c {.key, .level, .ordinal, .label} AS community,
  up.key AS parent,
  COLLECT {
    MATCH (r)-[:HAS_FINDING]->(f:Finding)
    WITH f ORDER BY f.order
    RETURN f {.summary, .explanation}
  } AS findings,
  COLLECT {
    MATCH (r)-[x:CITES]->(t)
    RETURN [x.n, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), t.key]
  } AS references
