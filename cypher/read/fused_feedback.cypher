// Scores of documents for several queries
// params: corpus, document_index, queries, limit
// returns: query int, key string?, score float
UNWIND range(0, size($queries) - 1) AS query
CALL db.index.fulltext.queryNodes($document_index, $queries[query], {limit: $limit}) YIELD node, score
WITH query, node, score WHERE node.corpus = $corpus
RETURN query, node.key AS key, score
