// Chunks of documents; new ones are marked for extraction and for the artifacts that the corpus has, and to be embedded unless they come with their vector
// params: corpus, rows
// returns: n
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
UNWIND $rows AS row
MATCH (d:Document {key: row.document}) USING INDEX SEEK d:Document(key)
MERGE (c:Chunk {key: row.key})
ON CREATE SET c:$('Chunk_' + $corpus), c.corpus = $corpus, c.text = row.text, c.todo_extract = $corpus, c.embed_fp = row.fp, c.todo_embed = CASE WHEN row.fp IS NULL THEN $corpus END,
  c.todo_queries = CASE WHEN k.queries_count > 0 THEN $corpus END, c.todo_sentences = CASE WHEN k.sentences THEN $corpus END
SET c += row.set, c.todo_extract = CASE WHEN row.reextract THEN $corpus ELSE c.todo_extract END
MERGE (c)-[:PART_OF]->(d)
WITH c, row
CALL (c, row) {
  WITH c, row WHERE row.vector IS NOT NULL AND c.embedding IS NULL
  CALL db.create.setNodeVectorProperty(c, 'embedding', row.vector)
}
RETURN count(*) AS n
