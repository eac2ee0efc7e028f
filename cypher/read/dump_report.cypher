// The dump of visible reports in the order of their communities: the nodes, or the edges that leave them
// params: corpus, after, end, limit, generation, edges
// returns: as read/dump
MATCH (c:Community)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
  AND c.since <= $generation AND coalesce(c.until, 9007199254740992) > $generation
WITH c ORDER BY c.key LIMIT $limit
OPTIONAL MATCH (c)-[:HAS_REPORT]->(report:Report)
WHERE report.since <= $generation AND coalesce(report.until, 9007199254740992) > $generation
WITH c, report AS n, CASE WHEN report IS NOT NULL THEN c.key END AS id
RETURN c.key AS cursor, id, labels(n) AS labels,
  CASE WHEN NOT $edges THEN n {.*, embedding: null} END AS properties,
  COLLECT {
    MATCH (n)-[r:HAS_FINDING|CITES]->(m)
    WHERE $edges
    OPTIONAL MATCH (k:Community)-[:HAS_REPORT]->(m)
    WITH r, m, k
    WHERE k IS NULL OR k.since <= $generation AND coalesce(k.until, 9007199254740992) > $generation
    RETURN {
      type: type(r), labels: labels(m), properties: properties(r),
      to: coalesce(k.key, CASE WHEN m:Finding THEN id + '/' + toString(m.order) END, m.key)
    }
  } AS edges
ORDER BY c.key
