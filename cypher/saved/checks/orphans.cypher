// Checks: entities without a relationship
// params: limit
// about: Entities without any connection: they are in no community and in no report.
// param: limit whole 50: maximum number of rows
// empty: every entity is connected
// scan: no index lists entities without an edge; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE NOT EXISTS { (e)-[:RELATED]-() }
WITH e ORDER BY e.frequency DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.type AS type, e.frequency AS chunks, left(e.description, 200) AS description
