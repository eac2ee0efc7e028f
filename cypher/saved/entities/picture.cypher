// Entities: the most connected, as a picture
// params: limit
// about: The most connected entities with the edges between them. With a style sheet, the colours show types or communities.
// param: limit whole 50: maximum number of entities
// draws
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT $limit
WITH collect(e) AS chosen
UNWIND chosen AS e
OPTIONAL MATCH (e)-[r:RELATED]->(x:Entity)
WHERE x IN chosen
RETURN e, r, x
