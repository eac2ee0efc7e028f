// Delete the mentions of chunks, and mark what was derived from them
// params: corpus, keys
UNWIND $keys AS key
MATCH (c:Chunk {key: key})
WITH c
MATCH (c)-[m:MENTIONS]->(x)
SET x.todo_derive = $corpus
DELETE m
