// Edges between entities weighted by strength
// params: corpus
// A row holds a thousand nodes, because the driver spends more on a row than on what is in it
CYPHER 5
MATCH (a:Entity___corpus__)
WHERE a.corpus = $corpus
WITH collect(a) AS nodes
UNWIND range(0, size(nodes) - 1, 1000) AS first
CALL (nodes, first) {
  UNWIND nodes[first..first + 1000] AS a
  MATCH (a)<-[:SOURCE]-(r:Relationship)-[:TARGET]->(b:Entity)
  WHERE r.weight IS NOT NULL
  RETURN collect(id(a)) AS sources, collect(id(b)) AS targets, collect(r.strength) AS weights
}
RETURN sources, targets, weights
