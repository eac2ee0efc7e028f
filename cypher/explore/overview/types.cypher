// Overview: entities by type
// params: limit
// about: How many entities there are of each type, with the most connected of them.
// param: limit whole 50: types at most
// scan: types have no index; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key
RETURN e.type AS type, count(*) AS entities, round(avg(e.degree), 1) AS relationships_of_each, collect(e.name)[..5] AS first
ORDER BY entities DESC, type
LIMIT $limit
