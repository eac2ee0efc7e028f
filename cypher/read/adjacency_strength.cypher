// Edges between entities weighted by strength, one row for each source
// params: corpus
// scan: the snapshot reads the whole corpus
CYPHER 5
MATCH (a:Entity___corpus__)<-[:SOURCE]-(r:Relationship)-[:TARGET]->(b:Entity)
WHERE a.corpus = $corpus AND r.weight IS NOT NULL
WITH a, collect(id(b)) AS targets, collect(r.strength) AS weights
RETURN id(a) AS source, targets, weights
