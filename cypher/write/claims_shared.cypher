// Values of claims that several chunks may state, from the statement that sorts first
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (k:Claim {key: row.key}) USING INDEX SEEK k:Claim(key)
CALL (k) {
  MATCH (k)<-[said:STATES]-()
  RETURN said
  ORDER BY said.description, said.type, said.status, coalesce(said.start_date, ''), coalesce(said.end_date, ''), said.subject, coalesce(said.object, ''), said.source_text
  LIMIT 1
}
SET k += said {.type, .status, .description, .source_text, .start_date, .end_date, .n_tokens, .terms, .subject, .object, .absent, .name}
RETURN count(*) AS n
