// What communities and their latest reports hold of each other
// params: corpus, keys, generation
// returns: community string, report_fp string?, report ReportState{final bool?, size int?, weight int?, reads_fp string?, stale float?, records []int64?, cites_ended bool}?
UNWIND $keys AS key
MATCH (k:Community {key: key, corpus: $corpus}) USING INDEX SEEK k:Community(key)
RETURN key AS community, k.report_fp AS report_fp, head(COLLECT {
  MATCH (k)-[:HAS_REPORT]->(r)
  WHERE r.until IS NULL
  RETURN r {.final, .size, .weight, .reads_fp, .stale, .records, cites_ended: EXISTS {
    MATCH (r)-[:CITES]->(:Report)<-[:HAS_REPORT]-(child)
    WHERE child.until <= $generation
  }}
}) AS report
