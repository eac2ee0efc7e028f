// The most connected entity
// params: corpus
// returns: value
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT 1
WITH e, substring(e.key, size($corpus) + 1) AS id
RETURN CASE WHEN toLower(e.name) = id THEN e.name ELSE id END AS value
