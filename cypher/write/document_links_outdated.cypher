// Delete the edges of documents to those that are no longer among the most similar ones
// params: rows
UNWIND $rows AS row
MATCH (d:Document {key: row.key})-[r:SIMILAR_DOCUMENT]->(o) USING INDEX SEEK d:Document(key)
WHERE NOT o.key IN row.keep
DELETE r
