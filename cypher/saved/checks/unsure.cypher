// Checks: entities with little information
// params: limit
// about: Entities that occur only as the end of a relationship or claim: without a type, or without a description.
// param: limit whole 50: maximum number of rows
// empty: every entity has a type and a description
// scan: entities have no index by type; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE e.type = 'unknown' OR coalesce(e.description, '') = ''
WITH e ORDER BY e.degree DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.type AS type, e.degree AS relationships, e.frequency AS chunks
