// Entities: those with most relationships
// params: limit
// about: The most connected entities, with how many chunks mention them and the community they are in.
// param: limit whole 25: rows at most
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.type AS type, e.degree AS relationships, e.frequency AS chunks, e.community AS community, left(e.description, 200) AS description
