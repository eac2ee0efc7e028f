// A relationship by its key, or by the names of its ends in any letter case
// params: corpus, keys, name, limit
// returns: key string?
// scan: names have no index; only the corpus' own entities are read
CALL () {
  MATCH (n:Relationship)
  WHERE n.key IN $keys AND n.corpus = $corpus
  RETURN n.key AS key, 0 AS rank
  UNION
  MATCH (a:Entity___corpus__)
  WHERE toLower(a.name) = split($name, ' — ')[0]
  MATCH (n:Relationship)-[:SOURCE|TARGET]->(a)
  MATCH (n)-[:SOURCE|TARGET]->(b:Entity___corpus__)
  WHERE toLower(b.name) = split($name, ' — ')[1]
  RETURN n.key AS key, 1 AS rank
}
WITH key, min(rank) AS rank
RETURN key
ORDER BY rank, key
LIMIT $limit
