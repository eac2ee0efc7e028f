// A visible community by its key, its label, or the title of its report in any letter case
// params: corpus, keys, name, limit
// returns: key string?
CALL () {
  MATCH (n:Community)
  WHERE n.key IN $keys AND n.corpus = $corpus
  RETURN n.key AS key, 0 AS rank
  UNION
  MATCH (k:Corpus {key: $corpus})
  WITH coalesce(k.generation, 0) AS g
  MATCH (n:Community)
  WHERE n.key > $corpus + '/' AND n.key < $corpus + '0'
    AND n.since <= g AND coalesce(n.until, 9007199254740992) > g
    AND (toLower(n.label) = $name OR EXISTS {
      MATCH (n)-[:HAS_REPORT]->(r:Report)
      WHERE toLower(r.title) = $name AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
    })
  RETURN n.key AS key, 1 AS rank
}
WITH key, min(rank) AS rank
RETURN key
ORDER BY rank, key
LIMIT $limit
