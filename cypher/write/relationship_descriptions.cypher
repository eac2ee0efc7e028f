// Write descriptions of relationships, their beginnings on the edges, and mark them to be embedded
// params: corpus, rows
UNWIND $rows AS row
MATCH (r:Relationship {key: row.key})
MATCH (r)-[:SOURCE]->(s:Entity)
MATCH (r)-[:TARGET]->(t:Entity)
SET r += row.set, r.name = s.name + ' — ' + t.name, r.todo_embed = $corpus
REMOVE r.todo_describe, r.describe_error
WITH row, s, t
OPTIONAL MATCH (s)-[e:RELATED]->(t)
SET e.description = row.short
RETURN count(*) AS n
