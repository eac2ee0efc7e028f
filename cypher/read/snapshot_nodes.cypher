// Ids and keys of nodes, in key order
// params: corpus, after, end, limit
// returns: ids []int64, keys []string?
// for: Entity, Relationship, Chunk, Document
// A row holds a thousand nodes, because the driver spends more on a row than on what is in it
CYPHER 5
MATCH (a:__Kind__)
WHERE a.key > $after AND a.key < $end AND a.corpus = $corpus
WITH a ORDER BY a.key LIMIT $limit
WITH collect(a) AS nodes
UNWIND range(0, size(nodes) - 1, 1000) AS first
WITH nodes[first..first + 1000] AS page
RETURN [a IN page | id(a)] AS ids, [a IN page | a.key] AS keys
