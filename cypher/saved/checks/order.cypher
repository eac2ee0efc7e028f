// Checks: the order of chunks
// params: corpus, check, after, limit
// about: Chunks that are not linked correctly in their document: without a predecessor, with two successors, or with a gap in their positions.
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: all chunks are in order
MATCH (c:Chunk)
WHERE c.key > $corpus + '/' + $after AND c.key < $corpus + '0' AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $check
OPTIONAL MATCH (c)-[:NEXT_CHUNK]->(x:Chunk)
WITH c, count(x) AS after, head(collect(x)) AS x
WITH c, after, x, COUNT { (c)<-[:NEXT_CHUNK|FIRST_CHUNK]-() } AS before, COUNT { (c)-[:PART_OF]->() } AS documents
WHERE before <> 1 OR after > 1 OR documents <> 1 OR x.index <> c.index + 1
RETURN substring(c.key, size($corpus) + 1) AS id, c.name AS chunk, c.index AS position, x.index AS next_position, before, after, documents,
  [(c)-[:PART_OF]->(d:Document) | substring(d.key, size($corpus) + 1)] AS of
LIMIT $limit
