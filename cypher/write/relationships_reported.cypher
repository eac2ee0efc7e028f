// Mark the communities of both ends of relationships to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (r:Relationship {key: row.key}) USING INDEX SEEK r:Relationship(key)
MATCH (r)-[:SOURCE]->(s)
MATCH (r)-[:TARGET]->(t)
MATCH (s)-[:IN_COMMUNITY]->(k)
WHERE EXISTS { (t)-[:IN_COMMUNITY]->(k) }
SET k.todo_report = $corpus
