// Delete entities that nothing mentions any more
// params: keys
UNWIND $keys AS key
MATCH (e:Entity {key: key})
WHERE NOT EXISTS { (e)<-[:MENTIONS]-() }
DETACH DELETE e
