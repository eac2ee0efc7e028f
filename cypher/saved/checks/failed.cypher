// Checks: failures and their reasons
// params: corpus, limit
// about: Nodes that a stage could not process, with the reason. The next run tries again.
// param: limit whole 50: maximum number of nodes of each stage
// empty: nothing failed
// for: as schema/todo
// union
MATCH (n:__Kind__) USING INDEX SEEK n:__Kind__(todo___stage__, key)
WHERE n.todo___stage__ = $corpus AND n.key > '' AND n.__stage___error IS NOT NULL
RETURN n.key AS key, '__stage__' AS stage, n.__stage___error AS reason LIMIT $limit
