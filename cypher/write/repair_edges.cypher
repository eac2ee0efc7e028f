// Delete the edges between the ends of relationships; the stage derive creates them again
// params: keys
UNWIND $keys AS key
MATCH (r:Relationship {key: key}) USING INDEX SEEK r:Relationship(key)
MATCH (r)-[:SOURCE]->(s:Entity)
MATCH (r)-[:TARGET]->(t:Entity)
MATCH (s)-[x:RELATED]-(t)
DELETE x
