// Documents by all their terms
// params: corpus, lucene, limit
CALL db.index.fulltext.queryNodes('document___corpus__', $lucene, {limit: $limit}) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
ORDER BY score DESC, key
