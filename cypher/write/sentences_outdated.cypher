// Mark chunks whose mentions change, if sentences were made of them
// params: corpus, keys
UNWIND $keys AS key
MATCH (c:Chunk {key: key}) USING INDEX SEEK c:Chunk(key)
WHERE c.sentences IS NOT NULL
SET c.todo_sentences = $corpus
REMOVE c.sentences_fp
