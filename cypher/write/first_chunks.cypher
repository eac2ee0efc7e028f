// Link documents to their first chunks
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (d:Document {key: row.before}) USING INDEX SEEK d:Document(key)
MATCH (c:Chunk {key: row.key}) USING INDEX SEEK c:Chunk(key)
MERGE (d)-[:FIRST_CHUNK]->(c)
RETURN count(*) AS n
