// Mark relationships of entities whose name changes to be described, at most a number of them
// params: corpus, rows, limit
// returns: n
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
WHERE e.name <> row.name
MATCH (e)<-[:SOURCE|TARGET]-(r)
WHERE r.todo_describe IS NULL
WITH r LIMIT $limit
SET r.todo_describe = $corpus
RETURN count(*) AS n
