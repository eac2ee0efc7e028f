// Checks: sentences that are not complete
// params: corpus, check, after, limit
// about: Chunks that have more or fewer sentences than were made of them, or whose sentences lead to more or fewer entities than they name. Only a corpus indexed with sentences has them.
// param: check whole 10000: check at most N chunks, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: every sentence is complete
MATCH (n:Chunk)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n, COUNT { (n)-[:HAS_SENTENCE]->() } AS found, COUNT { (n)-[:HAS_SENTENCE]->()-[:NAMES]->() } AS names
WHERE (found <> coalesce(n.sentences, 0) OR names <> coalesce(n.sentence_names, 0)) AND n.todo_sentences IS NULL
RETURN substring(n.key, size($corpus) + 1) AS id, n.name AS name, n.sentences AS made, found, n.sentence_names AS named, names
LIMIT $limit
