// Mark the communities of entities to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (:Entity {key: row.key})-[:IN_COMMUNITY]->(k)
SET k.todo_report = $corpus
