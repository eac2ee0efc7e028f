// The most frequent type of entities
// params:
// returns: value
// scan: entities have no index by type; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE e.type <> 'unknown'
WITH e.type AS type, count(*) AS n
RETURN type AS value
ORDER BY n DESC, type
LIMIT 1
