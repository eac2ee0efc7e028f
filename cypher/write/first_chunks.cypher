// Link documents to their first chunks
// params: rows
UNWIND $rows AS row
MATCH (d:Document {key: row.before})
MATCH (c:Chunk {key: row.key})
MERGE (d)-[:FIRST_CHUNK]->(c)
RETURN count(*) AS n
