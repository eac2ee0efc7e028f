// The strongest neighbour of the most connected entity
// params: corpus
// returns: value
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT 1
MATCH (e)-[r:RELATED]-(x:Entity)
WITH x, substring(x.key, size($corpus) + 1) AS id ORDER BY r.weight DESC, x.key LIMIT 1
RETURN CASE WHEN toLower(x.name) = id THEN x.name ELSE id END AS value
