// A visible report by its key, or by its title in any letter case
// params: corpus, keys, name, limit
// returns: key string?
// scan: titles have no index; only the corpus' own reports are read
CALL () {
  MATCH (n:Report)
  WHERE n.key IN $keys AND n.corpus = $corpus
  RETURN n.key AS key, 0 AS rank
  UNION
  MATCH (k:Corpus {key: $corpus})
  WITH coalesce(k.generation, 0) AS g
  MATCH (n:Report___corpus__)
  WHERE toLower(n.title) = $name AND n.since <= g AND coalesce(n.until, 9007199254740992) > g
  RETURN n.key AS key, 1 AS rank
}
WITH key, min(rank) AS rank
RETURN key
ORDER BY rank, key
LIMIT $limit
