// Overview: all corpora of the database
// params: limit
// about: Every corpus with its mode, its generation and when it was created.
// param: limit whole 100: maximum number of corpora
// scan: there is one node per corpus
MATCH (k:Corpus)
RETURN k.name AS corpus, k.mode AS mode, k.created AS created, k.generation AS generation, k.embedder AS vectors, k.dimension AS dimension
ORDER BY corpus
LIMIT $limit
