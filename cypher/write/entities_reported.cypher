// Mark the communities of entities to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key})-[:IN_COMMUNITY]->(k) USING INDEX SEEK e:Entity(key)
SET k.todo_report = $corpus
