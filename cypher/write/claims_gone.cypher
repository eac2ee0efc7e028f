// Delete the claims that chunks no longer state and no others do, after marking the communities of their ends
// params: corpus, rows
UNWIND $rows AS row
MATCH (chunk:Chunk {key: row.key})-[r:STATES]->(c) USING INDEX SEEK chunk:Chunk(key)
WHERE NOT c.key IN row.keep
CALL (c) {
  MATCH (c)-[:SUBJECT|OBJECT]->()-[:IN_COMMUNITY]->(k)
  SET k.todo_report = $corpus
  RETURN count(*) AS marked
}
CALL (c) {
  MATCH (c)<-[:CITES]-()<-[:HAS_REPORT]-(k)
  SET k.todo_report = $corpus
  REMOVE k.report_fp
  RETURN count(*) AS cited
}
DELETE r
WITH collect(DISTINCT c) AS claims
UNWIND claims AS c
OPTIONAL MATCH (c)<-[said:STATES]-()
WITH c, said
ORDER BY said.description, said.type, said.status, coalesce(said.start_date, ''), coalesce(said.end_date, ''), said.subject, coalesce(said.object, ''), said.source_text
WITH c, head(collect(said)) AS said
FOREACH (k IN CASE WHEN said IS NULL THEN [] ELSE [c] END | SET k += said {.type, .status, .description, .source_text, .start_date, .end_date, .n_tokens, .terms, .subject, .object, .absent, .name})
FOREACH (k IN CASE WHEN said IS NULL THEN [c] ELSE [] END | DETACH DELETE k)
