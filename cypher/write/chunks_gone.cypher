// Delete chunks with their passages, queries and sentences
// params: keys
UNWIND $keys AS key
MATCH (c:Chunk {key: key}) USING INDEX SEEK c:Chunk(key)
OPTIONAL MATCH (c)-[:HAS_PASSAGE|HAS_QUERY|HAS_SENTENCE]->(x)
DETACH DELETE x, c
