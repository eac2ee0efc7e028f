// The entity with most relationships that is not a neighbour of the one with the very most
// params: corpus
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT 100
WITH collect(e) AS es
UNWIND tail(es) AS e
WITH es, e, EXISTS { (e)-[:RELATED]-(x) WHERE x = es[0] } AS near
WITH e, substring(e.key, size($corpus) + 1) AS id ORDER BY near, e.degree DESC, e.key LIMIT 1
RETURN CASE WHEN toLower(e.name) = id THEN e.name ELSE id END AS value
