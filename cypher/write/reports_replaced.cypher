// End the reports that communities have, with the next generation
// params: corpus, rows, next
UNWIND $rows AS row
MATCH (community:Community {key: row.key})-[:HAS_REPORT]->(r) USING INDEX SEEK community:Community(key)
WHERE r.until IS NULL AND r.since < $next
SET r.until = $next, r.gone = $corpus
REMOVE r.todo_embed, r.embed_error
