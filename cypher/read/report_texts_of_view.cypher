// Reports of a level view as a model reads them: without findings and references
// params: corpus, generation, level
// returns ReportRow: report {report} > Report, community {report_community}
MATCH (r:Report)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
  AND (r.level = $level OR r.level < $level AND r.final)
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
MATCH (c:Community)-[:HAS_REPORT]->(r)
RETURN r {.key, .level, .final, .size, .title, .full_content, .n_tokens} AS report, c {.key, .level, .ordinal, .label} AS community
