// Record why a stage could not process nodes; they stay marked
// params: corpus, rows
// for: Chunk extract, Entity derive, Relationship derive, Entity describe, Relationship describe
// for: Chunk embed, Entity embed, Relationship embed, Report embed, Sentence embed, Community report, Chunk sentences, Entity synonyms, Document documents, Chunk queries, Query link
UNWIND $rows AS row
MATCH (n:__Kind__ {key: row.key}) USING INDEX SEEK n:__Kind__(key)
WHERE coalesce(n.__stage___error, '') <> row.reason OR n.todo___stage__ IS NULL
SET n.__stage___error = row.reason, n.todo___stage__ = $corpus
