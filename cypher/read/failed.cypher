// Marked nodes that a stage could not process, with the reason
// params: corpus, limit
// returns Failed: key string?, stage string, reason string?
// for: as schema/todo
// union
MATCH (n:__Kind__) USING INDEX SEEK n:__Kind__(todo___stage__, key)
WHERE n.todo___stage__ = $corpus AND n.key > '' AND n.__stage___error IS NOT NULL
RETURN n.key AS key, '__stage__' AS stage, n.__stage___error AS reason LIMIT $limit
