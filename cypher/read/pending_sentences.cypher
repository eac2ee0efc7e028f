// Chunks whose sentences are to be made, in key order, with those that they have and the entities that they mention
// params: corpus, after, limit
// returns: key string?, text string?, sentences_fp string?, sentences []{key string?, end int?}, entities []EntityMention{key string? > Entity, names []string?}
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_sentences, key)
WHERE n.todo_sentences = $corpus AND n.key > $after
WITH n ORDER BY n.todo_sentences, n.key LIMIT $limit
RETURN n.key AS key, n.text AS text, n.sentences_fp AS sentences_fp,
  COLLECT { MATCH (n)-[:HAS_SENTENCE]->(s) RETURN s {.key, .end} } AS sentences,
  COLLECT { MATCH (n)-[m:MENTIONS]->(e:Entity) RETURN {key: e.key, names: m.names} ORDER BY e.key } AS entities
