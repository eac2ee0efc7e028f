// Entities: the most connected
// params: limit
// about: The most connected entities, with the number of chunks that mention them and their community.
// param: limit whole 25: maximum number of rows
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.type AS type, e.degree AS relationships, e.frequency AS chunks, e.community AS community, left(e.description, 200) AS description
