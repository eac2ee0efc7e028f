// Checks: entities without a relationship
// params: limit
// about: Entities that nothing is connected to: they are in no community, and no report tells of them.
// param: limit whole 50: rows at most
// empty: every entity is connected
// scan: no index holds those without an edge; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE NOT EXISTS { (e)-[:RELATED]-() }
WITH e ORDER BY e.frequency DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.type AS type, e.frequency AS chunks, left(e.description, 200) AS description
