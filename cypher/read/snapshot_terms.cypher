// The index terms of documents, in key order
// params: corpus, after, end, limit
// returns: key string?, terms string?
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus
WITH d ORDER BY d.key LIMIT $limit
RETURN d.key AS key, coalesce(d.terms, '') AS terms
ORDER BY key
