// Mark entities to be derived
// params: corpus, keys
UNWIND $keys AS key
MATCH (e:Entity {key: key}) USING INDEX SEEK e:Entity(key)
SET e.todo_derive = $corpus
