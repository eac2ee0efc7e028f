// The number of communities of a generation without a report
// params: corpus, after, end, generation
MATCH (k:Community)
WHERE k.key > $after AND k.key < $end AND k.corpus = $corpus
  AND k.since <= $generation AND coalesce(k.until, 9007199254740992) > $generation
  AND NOT EXISTS {
    MATCH (k)-[:HAS_REPORT]->(r)
    WHERE r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
  }
RETURN count(k) AS n
