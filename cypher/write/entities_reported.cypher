// Mark the communities of entities to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key})
WITH e
MATCH (e)-[:IN_COMMUNITY]->(k)
SET k.todo_report = $corpus
