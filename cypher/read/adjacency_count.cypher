// Edges between entities weighted by count
// params: corpus
// scan: the whole graph of the corpus is read, source by source
// A row holds a thousand nodes, because the driver spends more on a row than on what is in it
CYPHER 5
MATCH (a:Entity___corpus__)
WHERE a.corpus = $corpus
WITH collect(a) AS nodes
UNWIND range(0, size(nodes) - 1, 1000) AS first
CALL (nodes, first) {
  UNWIND nodes[first..first + 1000] AS a
  MATCH (a)-[r:RELATED]->(b)
  RETURN collect(id(a)) AS sources, collect(id(b)) AS targets, collect(r.weight) AS weights
}
RETURN sources, targets, weights
