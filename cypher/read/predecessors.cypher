// Communities that end with a generation and have a report, with its fingerprint
// params: corpus, generation, after, end, limit
// returns labelledPredecessor: key string? > Community, label string? > label, report_fp string?, report {reads_fp string?, records []int64?}?
MATCH (k:Community) USING INDEX SEEK k:Community(gone, key)
WHERE k.gone = $corpus AND k.key > $after AND k.key < $end AND k.until = $generation AND k.report_fp IS NOT NULL
WITH k ORDER BY k.gone, k.key LIMIT $limit
RETURN k.key AS key, k.label AS label, k.report_fp AS report_fp, head(COLLECT {
  MATCH (k)-[:HAS_REPORT]->(r)
  WHERE r.until = $generation
  RETURN r {.reads_fp, .records}
}) AS report
