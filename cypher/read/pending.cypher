// Marked nodes of each stage
// params: corpus
// returns: stage string, pending int
// for: as schema/todo
// union
MATCH (n:__Kind__) USING INDEX SEEK n:__Kind__(todo___stage__, key)
WHERE n.todo___stage__ = $corpus AND n.key > ''
RETURN '__stage__' AS stage, count(n) AS pending
