// Checks: nodes without a vector
// params: corpus, check, after, limit
// about: Chunks, sentences and reports without a vector although there is a vector index, and entities and relationships too if an embedding model makes the vectors: vector search does not find them.
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows of each kind
// empty: every node has a vector
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH k.dimension AS dimension WHERE dimension > 0
MATCH (n:Chunk)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE n.embedding IS NULL
RETURN 'chunk' AS kind, substring(n.key, size($corpus) + 1) AS id, coalesce(n.name, n.title) AS name, n.embed_error AS error
LIMIT $limit
UNION ALL
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH k.dimension AS dimension, k.embedder AS embedder WHERE dimension > 0 AND embedder STARTS WITH 'model:'
MATCH (n:Entity)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE n.embedding IS NULL
RETURN 'entity' AS kind, substring(n.key, size($corpus) + 1) AS id, coalesce(n.name, n.title) AS name, n.embed_error AS error
LIMIT $limit
UNION ALL
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH k.dimension AS dimension, k.embedder AS embedder WHERE dimension > 0 AND embedder STARTS WITH 'model:'
MATCH (n:Relationship)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE n.embedding IS NULL
RETURN 'relationship' AS kind, substring(n.key, size($corpus) + 1) AS id, coalesce(n.name, n.title) AS name, n.embed_error AS error
LIMIT $limit
UNION ALL
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH k.dimension AS dimension WHERE dimension > 0
MATCH (n:Report)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE n.embedding IS NULL
RETURN 'report' AS kind, substring(n.key, size($corpus) + 1) AS id, coalesce(n.name, n.title) AS name, n.embed_error AS error
LIMIT $limit
UNION ALL
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH k.dimension AS dimension WHERE dimension > 0
MATCH (n:Sentence)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE n.embedding IS NULL
RETURN 'sentence' AS kind, substring(n.key, size($corpus) + 1) AS id, coalesce(n.name, n.title) AS name, n.embed_error AS error
LIMIT $limit
