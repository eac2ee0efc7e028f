// A page of the reports of the children of communities, valid in a generation
// params: corpus, keys, generation, after, end, limit
// returns: community string, child string?, label string?, report graph.Report{report}, findings []orderedFinding{order int?, summary string?, explanation string?}, references citations
UNWIND $keys AS key
MATCH (of:Community {key: key, corpus: $corpus})<-[p:PARENT_COMMUNITY]-(k)-[:HAS_REPORT]->(r) USING INDEX SEEK of:Community(key)
WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
  AND k.since <= $generation AND coalesce(k.until, 9007199254740992) > $generation
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
  AND k.key > $after AND k.key < $end
WITH key, k, r ORDER BY k.key LIMIT $limit
RETURN key AS community, k.key AS child, k.label AS label,
  r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .rating_explanation, .model, .n_tokens} AS report,
  COLLECT { MATCH (r)-[:HAS_FINDING]->(f) RETURN f {.order, .summary, .explanation} } AS findings,
  COLLECT {
    MATCH (r)-[c:CITES]->(x)
    RETURN [c.n, head([label IN labels(x) WHERE label IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), x.key]
  } AS references
ORDER BY child
