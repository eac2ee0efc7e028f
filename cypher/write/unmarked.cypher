// Remove the marks of unchanged nodes
// params: rows
// returns: n
// for: as schema/todo
UNWIND $rows AS row
MATCH (n:__Kind__ {key: row.key}) USING INDEX SEEK n:__Kind__(key)
REMOVE n.todo___stage__, n.__stage___error
RETURN count(*) AS n
