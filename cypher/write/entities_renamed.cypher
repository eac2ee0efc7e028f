// Mark the relationships of entities whose name changes to be described
// params: corpus, rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key})
WHERE e.name <> row.name
MATCH (e)<-[:SOURCE|TARGET]-(r:Relationship)
SET r.todo_describe = $corpus
