// Delete the mentions of chunks, and mark what was derived from them
// params: corpus, keys
UNWIND $keys AS key
MATCH (chunk:Chunk {key: key})-[m:MENTIONS]->(x) USING INDEX SEEK chunk:Chunk(key)
SET x.todo_derive = $corpus
DELETE m
