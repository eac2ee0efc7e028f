// Reports of communities, with findings and references
// params: corpus, generation, keys
// returns: as read/reports_below
UNWIND $keys AS key
MATCH (c:Community {key: key, corpus: $corpus})-[:HAS_REPORT]->(r:Report) USING INDEX SEEK c:Community(key)
WHERE r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
RETURN
  r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .rating_explanation, .model, .n_tokens} AS report,
  c {.key, .level, .ordinal, .label} AS community,
  head(COLLECT {
    MATCH (c)-[p:PARENT_COMMUNITY]->(parent:Community)
    WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
    RETURN parent.key
  }) AS parent,
  COLLECT {
    MATCH (r)-[:HAS_FINDING]->(f:Finding)
    WITH f ORDER BY f.order
    RETURN f {.summary, .explanation}
  } AS findings,
  COLLECT {
    MATCH (r)-[x:CITES]->(t)
    RETURN [x.n, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), t.key]
  } AS references
