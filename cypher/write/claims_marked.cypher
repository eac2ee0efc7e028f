// Mark the communities of the ends of claims to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (claim:Claim {key: row.key})-[:SUBJECT|OBJECT]->()-[:IN_COMMUNITY]->(y) USING INDEX SEEK claim:Claim(key)
SET y.todo_report = $corpus
