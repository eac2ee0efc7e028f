// Checks: entities without their synonyms
// params: corpus, check, after, limit
// about: Entities that have more or fewer edges to entities with similar names than were found. Only a corpus indexed with synonyms has them.
// param: check whole 10000: check at most N entities, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: every entity has its synonyms
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.synonyms, false) AS wanted
MATCH (n:Entity)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n, wanted ORDER BY n.key LIMIT $check
WITH n, wanted, COUNT { (n)-[:SYNONYM]->() } AS found
WHERE found <> coalesce(n.synonyms, CASE WHEN wanted THEN -1 ELSE 0 END) AND n.todo_synonyms IS NULL
RETURN substring(n.key, size($corpus) + 1) AS id, n.name AS name, n.synonyms AS made, found
LIMIT $limit
