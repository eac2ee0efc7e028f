// Record that the sentences of chunks are made
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.key}) USING INDEX SEEK c:Chunk(key)
SET c.sentences_fp = row.fp, c.sentences = row.sentences, c.sentence_names = row.names
REMOVE c.todo_sentences, c.sentences_error
RETURN count(*) AS n
