// The documents of a corpus for people
// params: corpus, after, end, limit
// returns DocumentLine: document {key string?, uri string?, title string?, date string?, language string?, mime string?, n_tokens int?, meta_author string? > Author}, chunks int
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus
RETURN d {.key, .uri, .title, .date, .language, .mime, .n_tokens, .meta_author} AS document, COUNT { (d)<-[:PART_OF]-() } AS chunks
ORDER BY d.key LIMIT $limit
