// Checks: nodes that search does not find
// params: corpus, check, after, limit
// about: Nodes without the label of their corpus, which the indexes for full text and vectors cover.
// param: check whole 10000: check at most N nodes of each kind, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows of each kind
// empty: every node can be found
MATCH (n:Document)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Document_' + $corpus IN labels(n)
RETURN 'Document' AS kind, substring(n.key, size($corpus) + 1) AS id, n.uri AS name
LIMIT $limit
UNION ALL
MATCH (n:Chunk)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Chunk_' + $corpus IN labels(n)
RETURN 'Chunk' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name
LIMIT $limit
UNION ALL
MATCH (n:Passage)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Passage_' + $corpus IN labels(n)
RETURN 'Passage' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name
LIMIT $limit
UNION ALL
MATCH (n:Entity)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Entity_' + $corpus IN labels(n)
RETURN 'Entity' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name
LIMIT $limit
UNION ALL
MATCH (n:Relationship)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Relationship_' + $corpus IN labels(n)
RETURN 'Relationship' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name
LIMIT $limit
UNION ALL
MATCH (n:Claim)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Claim_' + $corpus IN labels(n)
RETURN 'Claim' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name
LIMIT $limit
UNION ALL
MATCH (n:Report)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Report_' + $corpus IN labels(n)
RETURN 'Report' AS kind, substring(n.key, size($corpus) + 1) AS id, n.title AS name
LIMIT $limit
UNION ALL
MATCH (n:Query)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Query_' + $corpus IN labels(n)
RETURN 'Query' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name
LIMIT $limit
UNION ALL
MATCH (n:Sentence)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT 'Sentence_' + $corpus IN labels(n)
RETURN 'Sentence' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name
LIMIT $limit
