// Checks: counts of entities against their edges
// params: corpus, check, after, limit
// about: Entities whose degree is not the number of their edges, or whose frequency is not the number of chunks that mention them.
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: counts and edges agree
MATCH (e:Entity)
WHERE e.key > $corpus + '/' + $after AND e.key < $corpus + '0' AND e.corpus = $corpus
WITH e ORDER BY e.key LIMIT $check
WITH e, COUNT { (e)-[:RELATED]-() } AS edges, COUNT { (e)<-[:MENTIONS]-() } AS mentions
WHERE coalesce(e.degree, 0) <> edges OR coalesce(e.frequency, 0) <> mentions OR mentions = 0
RETURN substring(e.key, size($corpus) + 1) AS id, e.name AS entity, e.degree AS degree, edges, e.frequency AS frequency, mentions
LIMIT $limit
