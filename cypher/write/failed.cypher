// Record why a stage could not process nodes; they stay marked
// params: corpus, rows
// for: as schema/todo
UNWIND $rows AS row
MATCH (n:__Kind__ {key: row.key}) USING INDEX SEEK n:__Kind__(key)
WHERE coalesce(n.__stage___error, '') <> row.reason OR n.todo___stage__ IS NULL
SET n.__stage___error = row.reason, n.todo___stage__ = $corpus
