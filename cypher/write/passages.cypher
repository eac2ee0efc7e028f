// Passages of chunks
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.chunk}) USING INDEX SEEK c:Chunk(key)
MERGE (p:Passage {key: row.key})
ON CREATE SET p:$('Passage_' + $corpus), p.corpus = $corpus
SET p += row.set
MERGE (c)-[:HAS_PASSAGE]->(p)
RETURN count(*) AS n
