// Mark the communities of the ends of claims to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (c:Claim {key: row.key})
WITH c
MATCH (c)-[:SUBJECT|OBJECT]->()-[:IN_COMMUNITY]->(y)
SET y.todo_report = $corpus
