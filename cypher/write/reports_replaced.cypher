// End the reports that communities have, with the next generation
// params: corpus, rows, next
UNWIND $rows AS row
MATCH (k:Community {key: row.key})
WITH k
MATCH (k)-[:HAS_REPORT]->(r)
WHERE r.until IS NULL AND r.since < $next
SET r.until = $next, r.gone = $corpus
REMOVE r.todo_embed, r.embed_error
