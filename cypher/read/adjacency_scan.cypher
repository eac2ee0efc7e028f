// Edges of all corpora, weighted by count: a share of them, by the remainder of their ids
// params: pages, page
// returns: sources, targets, weights
// scan: the edges of a corpus that has most of them are read several times faster in their order in the store than from entity to entity
// A row holds many edges, because the driver spends more on a row than on what is in it
CYPHER 5
MATCH (a)-[r:RELATED]->(b)
WHERE id(r) % $pages = $page
WITH id(r) / $pages % 64 AS part, collect(id(a)) AS sources, collect(id(b)) AS targets, collect(r.weight) AS weights
RETURN sources, targets, weights
