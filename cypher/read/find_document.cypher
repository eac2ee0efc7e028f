// A document by its key, or by its title or address in any letter case
// params: corpus, keys, name, limit
// returns: key string?
// scan: titles have no index; the corpus' own documents are few
CALL () {
  MATCH (n:Document)
  WHERE n.key IN $keys AND n.corpus = $corpus
  RETURN n.key AS key, 0 AS rank
  UNION
  MATCH (n:Document___corpus__)
  WHERE toLower(n.title) = $name OR toLower(n.uri) = $name
  RETURN n.key AS key, 1 AS rank
}
WITH key, min(rank) AS rank
RETURN key
ORDER BY rank, key
LIMIT $limit
