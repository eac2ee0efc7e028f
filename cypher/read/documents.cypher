// State of all documents
// params: corpus, after, end, limit
// returns DocumentState: key string?, uri string?, root string?, sha256 string?, source_fp string?, chunk_fp string?, n_tokens int?, row int?, line int?
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus
RETURN d.key AS key, d.uri AS uri, d.root AS root, d.sha256 AS sha256, d.source_fp AS source_fp, d.chunk_fp AS chunk_fp, d.n_tokens AS n_tokens, d.row AS row, d.line AS line
ORDER BY d.key LIMIT $limit
