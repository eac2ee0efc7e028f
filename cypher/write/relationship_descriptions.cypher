// Write descriptions of relationships, and their beginnings on the edges
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (r:Relationship {key: row.key}) USING INDEX SEEK r:Relationship(key)
MATCH (r)-[:SOURCE]->(s)
MATCH (r)-[:TARGET]->(t)
SET r += row.set, r.name = s.name + ' — ' + t.name
REMOVE r.todo_describe, r.describe_error
WITH row, s, t
OPTIONAL MATCH (s)-[e:RELATED]->(t)
SET e.description = row.short
RETURN count(*) AS n
