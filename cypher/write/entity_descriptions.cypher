// Write descriptions of entities
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
SET e += row.set
REMOVE e.todo_describe, e.describe_error
RETURN count(*) AS n
