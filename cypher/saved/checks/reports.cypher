// Checks: reports and their fingerprints
// params: corpus, limit
// about: Visible communities that do not have exactly one report, lack its fingerprint, or are marked to be reported again; and reports that cite nothing.
// param: limit whole 50: maximum number of rows
// empty: every community has its report
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
OPTIONAL MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
WITH c, count(r) AS reports, head(collect(r)) AS r
WITH c, r, reports, CASE
  WHEN reports = 0 THEN 'no report'
  WHEN reports > 1 THEN 'several reports'
  WHEN c.report_fp IS NULL THEN 'no fingerprint'
  WHEN c.todo_report IS NOT NULL THEN 'to be reported anew'
  WHEN NOT EXISTS { (r)-[:CITES]->() } THEN 'cites nothing'
END AS problem
WHERE problem IS NOT NULL
RETURN substring(c.key, size($corpus) + 1) AS id, c.label AS community, c.size AS entities, problem, r.title AS report, c.report_error AS error
ORDER BY entities DESC, community
LIMIT $limit
