// Entities: by type
// params: type, limit
// about: The most connected entities of a type.
// param: type text read/default_type: show entities of TYPE, such as person
// param: limit whole 50: maximum number of rows
// scan: entities have no index by type; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE e.type = toLower(trim($type))
WITH e ORDER BY e.degree DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.degree AS relationships, e.frequency AS chunks, e.community AS community, left(e.description, 200) AS description
