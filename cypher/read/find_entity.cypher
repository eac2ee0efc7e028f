// An entity by its key, or by one of its names in any letter case
// params: corpus, keys, name, limit
// returns: key string?
// scan: display names have no index; only the corpus' own entities are read
CALL () {
  MATCH (n:Entity)
  WHERE n.key IN $keys AND n.corpus = $corpus
  RETURN n.key AS key, 0 AS rank
  UNION
  MATCH (n:Entity___corpus__)
  WHERE toLower(n.name) = $name OR any(a IN n.aliases WHERE toLower(a) = $name)
  RETURN n.key AS key, 1 AS rank
}
WITH key, min(rank) AS rank
RETURN key
ORDER BY rank, key
LIMIT $limit
