// Delete the pairs that chunks no longer have, after marking the pairs that they are neighbours of
// params: corpus, rows
UNWIND $rows AS row
MATCH (chunk:Chunk {key: row.key})-[:HAS_QUERY]->(q) USING INDEX SEEK chunk:Chunk(key)
WHERE NOT q.key IN row.keep
CALL (q) {
  MATCH (p)-[:SIMILAR_QUERY]->(q)
  SET p.todo_link = $corpus
  RETURN count(*) AS marked
}
DETACH DELETE q
