// Store what a stage made of nodes, if they changed, and remove their marks
// params: rows
// returns: n
// for: as schema/todo
UNWIND $rows AS row
MATCH (n:__Kind__ {key: row.key}) USING INDEX SEEK n:__Kind__(key)
SET n += coalesce(row.set, {})
REMOVE n.todo___stage__, n.__stage___error
RETURN count(*) AS n
