// Edges between entities, one row for each source
// params: corpus
// The server puts each row together by itself, so that it never holds the graph: the snapshot reads the whole corpus.
CYPHER 5
MATCH (a:Entity___corpus__)
WHERE a.corpus = $corpus
CALL (a) {
  MATCH (a)-[r:RELATED]->(b)
  RETURN collect(id(b)) AS targets, collect(r.weight) AS weights
}
WITH a, targets, weights WHERE size(targets) > 0
RETURN id(a) AS source, targets, weights
