// Write descriptions of relationships, and their beginnings on the edges
// params: rows
UNWIND $rows AS row
MATCH (r:Relationship {key: row.key})
MATCH (r)-[:SOURCE]->(s:Entity)
MATCH (r)-[:TARGET]->(t:Entity)
SET r += row.set, r.name = s.name + ' — ' + t.name
REMOVE r.todo_describe, r.describe_error
WITH row, s, t
OPTIONAL MATCH (s)-[e:RELATED]->(t)
SET e.description = row.short
RETURN count(*) AS n
