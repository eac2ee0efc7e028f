// A page of relationships in key order, with their ends
// params: corpus, after, end, limit
// returns graph.Relationship: relationship {relationship}, source string?, source_name string?, target string?, target_name string?
MATCH (r:Relationship)
WHERE r.key > $after AND r.key < $end AND r.corpus = $corpus
WITH r ORDER BY r.key LIMIT $limit
OPTIONAL MATCH (r)-[:SOURCE]->(s:Entity)
OPTIONAL MATCH (r)-[:TARGET]->(t:Entity)
RETURN r {.key, .description, .keywords, .weight, .strength, .n_tokens} AS relationship,
  s.key AS source, s.name AS source_name, t.key AS target, t.name AS target_name
ORDER BY r.key
