// New and changed sentences of chunks; those that come without a vector are marked to be embedded
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.chunk}) USING INDEX SEEK c:Chunk(key)
MERGE (s:Sentence {key: row.key})
ON CREATE SET s:$('Sentence_' + $corpus), s.corpus = $corpus
SET s += row.set, s.embed_fp = row.fp, s.todo_embed = CASE WHEN row.fp IS NULL THEN $corpus END
MERGE (c)-[:HAS_SENTENCE]->(s)
WITH s, row
CALL (s, row) {
  WITH s, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(s, 'embedding', row.vector)
}
RETURN count(*) AS n
