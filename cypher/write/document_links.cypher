// Edges from documents to those that are most similar to them
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (d:Document {key: row.key}) USING INDEX SEEK d:Document(key)
MATCH (o:Document {key: row.to}) USING INDEX SEEK o:Document(key)
MERGE (d)-[r:SIMILAR_DOCUMENT]->(o)
SET r.score = row.score
RETURN count(*) AS n
