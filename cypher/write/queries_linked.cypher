// Record that the neighbours of pairs are found
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (q:Query {key: row.key}) USING INDEX SEEK q:Query(key)
SET q.neighbours = row.neighbours
REMOVE q.todo_link, q.link_error
RETURN count(*) AS n
