// The relationships with most mentions, between entities of some types, or of any type if none is given
// params: types, limit
// returns graph.Relationship: node {relationship}, a {source}, b {target}
// scan: no index is ordered by weight; only the corpus' own relationships are read
MATCH (a:Entity___corpus__)-[x:RELATED]->(b:Entity)
WHERE size($types) = 0 OR a.type IN $types AND b.type IN $types
WITH a, b, x ORDER BY x.weight DESC, x.key LIMIT $limit
MATCH (r:Relationship {key: x.key}) USING INDEX SEEK r:Relationship(key)
RETURN r {.key, .description, .weight, .n_tokens} AS node, a {.key, .name} AS a, b {.key, .name} AS b
