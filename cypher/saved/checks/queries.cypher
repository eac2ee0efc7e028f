// Checks: question-answer pairs that are not complete
// params: corpus, check, after, limit
// about: Chunks that have more or fewer pairs with a vector than were made of them, and pairs that do not have the neighbours that were found for them. Only a corpus indexed with queries has pairs.
// param: check whole 10000: check at most N nodes of each kind, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows of each kind
// empty: every pair is complete
MATCH (n:Chunk)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n, COUNT { (n)-[:HAS_QUERY]->(q) WHERE q.embedding IS NOT NULL } AS found
WHERE found <> coalesce(n.queries, 0)
RETURN 'Chunk' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name, n.queries AS made, found
LIMIT $limit
UNION ALL
MATCH (n:Query)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n, COUNT { (n)-[:SIMILAR_QUERY]->() } AS found
WHERE found <> coalesce(n.neighbours, 0) AND n.todo_link IS NULL
RETURN 'Query' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name, n.neighbours AS made, found
LIMIT $limit
