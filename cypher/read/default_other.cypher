// The most connected entity that is not a neighbour of the most connected one
// params: corpus
// returns: value
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT 100
WITH collect(e) AS es
WITH es[0] AS top, tail(es) AS others
UNWIND others AS e
OPTIONAL MATCH (e)-[r:RELATED]-(top)
WITH e, count(r) AS near
WITH e, near, substring(e.key, size($corpus) + 1) AS id ORDER BY near, e.degree DESC, e.key LIMIT 1
RETURN CASE WHEN toLower(e.name) = id THEN e.name ELSE id END AS value
