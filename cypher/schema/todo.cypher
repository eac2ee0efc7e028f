// Marked nodes of a kind; this index holds no others
// params:
// for: Chunk extract, Entity derive, Relationship derive, Entity describe, Relationship describe
// for: Chunk embed, Entity embed, Relationship embed, Report embed, Sentence embed, Chunk sentences, Entity synonyms, Document documents, Community report, Chunk queries, Query link
CREATE INDEX __kind___todo___stage__ IF NOT EXISTS FOR (n:__Kind__) ON (n.todo___stage__, n.key)
