// Delete what chunks said before, after what it went into is marked
// params: corpus, keys
UNWIND $keys AS key
MATCH (:Chunk {key: key})-[m:MENTIONS]->(x:Entity|Relationship)
SET x.todo_derive = $corpus
DELETE m
