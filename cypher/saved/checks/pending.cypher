// Checks: pending work
// params: corpus
// about: The number of nodes that each stage still has to process. The next run does it.
// empty: nothing is pending
// for: as schema/todo
// union
MATCH (n:__Kind__) USING INDEX SEEK n:__Kind__(todo___stage__, key)
WHERE n.todo___stage__ = $corpus AND n.key > ''
RETURN '__stage__' AS stage, count(n) AS pending
