// Keys of the entities that have an edge
// params: corpus
// scan: the snapshot reads the whole corpus
CYPHER 5
MATCH (a:Entity___corpus__)
WHERE a.corpus = $corpus AND EXISTS { (a)-[:RELATED]-() }
RETURN id(a) AS id, a.key AS key
