// Edges from entities with these ids, weighted by count
// params: ids
// returns: sources, targets, weights
// A row holds the edges of a thousand nodes, because the driver spends more on a row than on what is in it
CYPHER 5
UNWIND range(0, size($ids) - 1, 1000) AS first
CALL (first) {
  UNWIND $ids[first..first + 1000] AS id
  MATCH (a) WHERE id(a) = id
  MATCH (a)-[r:RELATED]->(b)
  RETURN collect(id(a)) AS sources, collect(id(b)) AS targets, collect(r.weight) AS weights
}
RETURN sources, targets, weights
