// Delete chunks with their passages, claims, queries and sentences
// params: keys
UNWIND $keys AS key
MATCH (c:Chunk {key: key}) USING INDEX SEEK c:Chunk(key)
OPTIONAL MATCH (c)-[:HAS_PASSAGE|STATES|HAS_QUERY|HAS_SENTENCE]->(x)
DETACH DELETE x, c
