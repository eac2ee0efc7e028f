// The relationship between two entities, the strongest paths of two relationships and, if there is neither, of three, each as its relationships in order
// params: corpus, from, to, limit
// returns: weight float?, relationships []graph.Relationship{node {relationship}, a {source}, b {target}}
MATCH (a:Entity {key: $from, corpus: $corpus}) USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: $to, corpus: $corpus}) USING INDEX SEEK b:Entity(key)
CALL (a, b) {
  MATCH (a)-[x:RELATED]-(b)
  RETURN [x] AS path, x.weight AS weight
  UNION
  MATCH (a)-[x:RELATED]-(m:Entity)-[y:RELATED]-(b)
  WITH m, x, y, CASE WHEN x.weight < y.weight THEN x.weight ELSE y.weight END AS weight
  ORDER BY weight DESC, x.weight + y.weight DESC, m.key LIMIT $limit
  RETURN [x, y] AS path, weight
  UNION
  WITH a, b
  WHERE NOT EXISTS { (a)-[:RELATED]-(b) } AND NOT EXISTS { (a)-[:RELATED]-(:Entity)-[:RELATED]-(b) }
  CALL (a) {
    MATCH (a)-[x:RELATED]-(m:Entity)
    WITH x, m ORDER BY x.weight DESC, x.key LIMIT 100
    RETURN x, m
  }
  CALL (b) {
    MATCH (b)-[z:RELATED]-(n:Entity)
    WITH z, n ORDER BY z.weight DESC, z.key LIMIT 100
    RETURN z, n
  }
  MATCH (m)-[y:RELATED]-(n)
  WITH x, y, z, reduce(least = x.weight, w IN [y.weight, z.weight] | CASE WHEN w < least THEN w ELSE least END) AS least
  ORDER BY least DESC, x.weight + y.weight + z.weight DESC, x.key, y.key, z.key LIMIT 1
  RETURN [x, y, z] AS path, 0 AS weight
}
RETURN weight, COLLECT {
  UNWIND range(0, size(path) - 1) AS i
  WITH path, i
  MATCH (r:Relationship {key: path[i].key})
  MATCH (r)-[:SOURCE]->(s:Entity)
  MATCH (r)-[:TARGET]->(t:Entity)
  WITH i, r, s, t ORDER BY i
  RETURN {node: r {.key, .description, .weight, .n_tokens}, a: s {.key, .name}, b: t {.key, .name}}
} AS relationships
ORDER BY size(relationships), weight DESC, relationships[0].node.key
