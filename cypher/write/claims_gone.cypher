// Delete the claims that chunks no longer state, after the communities of their ends are marked
// params: corpus, rows
UNWIND $rows AS row
MATCH (:Chunk {key: row.key})-[:STATES]->(k:Claim)
WHERE NOT k.key IN row.keep
CALL (k) {
  MATCH (k)-[:SUBJECT|OBJECT]->(:Entity)-[:IN_COMMUNITY]->(y:Community)
  SET y.todo_report = $corpus
  RETURN count(*) AS marked
}
DETACH DELETE k
