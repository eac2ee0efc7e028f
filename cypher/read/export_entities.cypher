// A page of entities in key order
// params: corpus, after, end, limit
// returns graph.Entity: entity {entity}
MATCH (e:Entity)
WHERE e.key > $after AND e.key < $end AND e.corpus = $corpus
WITH e ORDER BY e.key LIMIT $limit
RETURN e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS entity
ORDER BY e.key
