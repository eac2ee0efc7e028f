// Reports of a level view as a model reads them, closest first: by the scores of a search, then the largest; with the size of the view
// params: corpus, generation, level, scores, limit
// returns closestReport: report {report} > ReportRow.Report, community {report_community} > ReportRow, reports int, tokens int
MATCH (r:Report)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
  AND (r.level = $level OR r.level < $level AND r.final)
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
WITH r.key AS key, r.n_tokens AS tokens, r.size AS size, coalesce($scores[r.key], 0.0) AS score
ORDER BY score DESC, size DESC, key
WITH count(*) AS reports, sum(tokens) AS tokens, collect(key)[..$limit] AS keys
UNWIND keys AS key
MATCH (r:Report {key: key}) USING INDEX SEEK r:Report(key)
MATCH (c:Community)-[:HAS_REPORT]->(r)
RETURN r {.key, .level, .final, .size, .title, .full_content, .n_tokens} AS report, c {.key, .level, .ordinal, .label} AS community, reports, tokens
