// Create the relationships that chunks mention, with their ends, and mark them to be derived
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (s:Entity {key: row.source}) USING INDEX SEEK s:Entity(key)
MATCH (t:Entity {key: row.target}) USING INDEX SEEK t:Entity(key)
MERGE (r:Relationship {key: row.key})
ON CREATE SET r:$('Relationship_' + $corpus), r.corpus = $corpus, r.name = s.name + ' — ' + t.name
SET r.todo_derive = $corpus
MERGE (r)-[:SOURCE]->(s)
MERGE (r)-[:TARGET]->(t)
RETURN count(*) AS n
