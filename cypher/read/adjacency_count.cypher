// Edges between entities, one row for each source
// params: corpus
// scan: the snapshot reads the whole corpus
CYPHER 5
MATCH (a:Entity___corpus__)-[r:RELATED]->(b)
WHERE a.corpus = $corpus
WITH a, collect(id(b)) AS targets, collect(r.weight) AS weights
RETURN id(a) AS source, targets, weights
