// A page of the visible reports without their texts, with the parents of their communities
// params: corpus, generation, after, limit
// returns ReportRow: report {report} > Report, community {report_community}, parent string? > Community.Parent
MATCH (r:Report)
WHERE r.key > $after AND r.key > $corpus + '/' AND r.key < $corpus + '0'
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
WITH r ORDER BY r.key LIMIT $limit
MATCH (c:Community)-[:HAS_REPORT]->(r)
RETURN
  r {.key, .level, .final, .size, .weight, .title, .rating, .model, .n_tokens} AS report,
  c {.key, .level, .ordinal, .label} AS community,
  head(COLLECT {
    MATCH (c)-[p:PARENT_COMMUNITY]->(parent:Community)
    WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
    RETURN parent.key
  }) AS parent
