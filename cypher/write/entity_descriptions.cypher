// Write descriptions of entities, and mark them to be embedded
// params: corpus, rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key})
SET e += row.set, e.todo_embed = $corpus
REMOVE e.todo_describe, e.describe_error
RETURN count(*) AS n
