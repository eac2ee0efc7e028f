// Keys of the entities that have an edge
// params: corpus
// scan: the snapshot reads the whole corpus
// A row holds a thousand nodes, because the driver spends more on a row than on what is in it
CYPHER 5
MATCH (a:Entity___corpus__)
WHERE a.corpus = $corpus AND EXISTS { (a)-[:RELATED]-() }
WITH collect(a) AS nodes
UNWIND range(0, size(nodes) - 1, 1000) AS first
WITH nodes[first..first + 1000] AS page
RETURN [a IN page | id(a)] AS ids, [a IN page | a.key] AS keys
