// Mark nodes to be redone by a stage, even if nothing that they are made from changed
// params: corpus, keys
// returns: n
// for: as schema/todo
UNWIND $keys AS key
MATCH (n:__Kind__ {key: key}) USING INDEX SEEK n:__Kind__(key)
SET n.todo___stage__ = $corpus
REMOVE n.__stage___fp
RETURN count(*) AS n
