// Documents: all documents
// params: corpus, after, limit
// about: The documents by URI, with length and date.
// param: after text '': continue after this URI
// param: limit whole 100: maximum number of rows
MATCH (d:Document)
WHERE d.key > $corpus + '/' + $after AND d.key < $corpus + '0' AND d.corpus = $corpus
WITH d ORDER BY d.key LIMIT $limit
RETURN d.uri AS document, d.title AS title, d.date AS date, d.mime AS kind, d.n_tokens AS tokens, COUNT { (d)<-[:PART_OF]-() } AS chunks
