// Mark the communities of both ends of relationships to be reported; if outside is set, also the communities of one end
// params: corpus, rows, outside
UNWIND $rows AS row
MATCH (r:Relationship {key: row.key}) USING INDEX SEEK r:Relationship(key)
MATCH (r)-[:SOURCE]->(s)
MATCH (r)-[:TARGET]->(t)
UNWIND CASE WHEN $outside THEN [s, t] ELSE [s] END AS member
MATCH (member)-[:IN_COMMUNITY]->(k)
WHERE $outside OR EXISTS { (t)-[:IN_COMMUNITY]->(k) }
SET k.todo_report = $corpus
