// Chunks of documents; new ones are marked
// params: corpus, rows
UNWIND $rows AS row
MATCH (d:Document {key: row.document}) USING INDEX SEEK d:Document(key)
MERGE (c:Chunk {key: row.key})
ON CREATE SET c:$('Chunk_' + $corpus), c.corpus = $corpus, c.text = row.text, c.todo_extract = $corpus, c.todo_embed = $corpus
SET c += row.set, c.todo_extract = CASE WHEN row.reextract THEN $corpus ELSE c.todo_extract END
MERGE (c)-[:PART_OF]->(d)
RETURN count(*) AS n
