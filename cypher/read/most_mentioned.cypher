// The entities that most chunks mention, of some types, or of any type if none is given
// params: types, limit
// returns graph.Entity: node {entity}
// scan: no index is ordered by the number of mentions; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE size($types) = 0 OR e.type IN $types
WITH e ORDER BY e.frequency DESC, e.key LIMIT $limit
RETURN e {.key, .name, .type, .degree, .frequency, .description, .n_tokens} AS node
