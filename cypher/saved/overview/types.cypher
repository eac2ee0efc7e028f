// Overview: entities by type
// params: limit
// about: The number of entities of each type, with the most connected of them.
// param: limit whole 50: maximum number of types
// scan: types have no index; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e.type AS type, count(*) AS entities, round(avg(e.degree), 1) AS relationships_of_each, max([e.degree, e.name]) AS first
RETURN type, entities, relationships_of_each, first[1] AS most_connected, first[0] AS its_relationships
ORDER BY entities DESC, type
LIMIT $limit
