// Mark the communities of the ends of claims to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (:Claim {key: row.key})-[:SUBJECT|OBJECT]->()-[:IN_COMMUNITY]->(y)
SET y.todo_report = $corpus
