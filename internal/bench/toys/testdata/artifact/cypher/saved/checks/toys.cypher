// Checks: chunks without their number of words
// params: corpus, check, after, limit
// about: Chunks whose words are not counted. Only a corpus indexed with toys has such numbers.
// param: check whole 10000: check at most N chunks, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: the words of every chunk are counted
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.toys, false) AS wanted
MATCH (n:Chunk)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n, wanted ORDER BY n.key LIMIT $check
WHERE wanted <> (n.words IS NOT NULL) AND n.todo_toys IS NULL
RETURN substring(n.key, size($corpus) + 1) AS id, n.name AS name, n.words AS words
LIMIT $limit
