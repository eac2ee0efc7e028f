// New and changed pairs of chunks, with their vectors; those that are kept are marked to be linked
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.chunk}) USING INDEX SEEK c:Chunk(key)
MERGE (q:Query {key: row.key})
ON CREATE SET q:$('Query_' + $corpus), q.corpus = $corpus
SET q += row.set, q.todo_link = CASE WHEN row.kept THEN $corpus END
MERGE (c)-[:HAS_QUERY]->(q)
WITH q, row
CALL (q, row) {
  WITH q, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(q, 'embedding', row.vector)
}
RETURN count(*) AS n
