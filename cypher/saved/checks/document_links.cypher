// Checks: documents without the similar ones
// params: corpus, check, after, limit
// about: Documents that have more or fewer edges to similar documents than were found. Only a corpus indexed with documents has them.
// param: check whole 10000: check at most N documents, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: every document has its edges to similar ones
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.document_links, false) AS wanted
MATCH (n:Document)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n, wanted ORDER BY n.key LIMIT $check
WITH n, wanted, COUNT { (n)-[:SIMILAR_DOCUMENT]->() } AS found
WHERE found <> coalesce(n.similar, CASE WHEN wanted THEN -1 ELSE 0 END) AND n.todo_documents IS NULL
RETURN substring(n.key, size($corpus) + 1) AS id, coalesce(n.title, n.uri) AS name, n.similar AS made, found
LIMIT $limit
