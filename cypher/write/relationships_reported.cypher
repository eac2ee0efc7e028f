// Mark the communities of both ends of relationships to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (r:Relationship {key: row.key})
MATCH (r)-[:SOURCE]->(s:Entity)
MATCH (r)-[:TARGET]->(t:Entity)
MATCH (s)-[:IN_COMMUNITY]->(k:Community)
WHERE EXISTS { (t)-[:IN_COMMUNITY]->(k) }
SET k.todo_report = $corpus
