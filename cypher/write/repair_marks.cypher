// Mark nodes to be redone by a stage, even if nothing that they are made from changed
// params: corpus, keys
// returns: n
// for: Entity derive, Relationship derive, Entity describe, Relationship describe
// for: Chunk embed, Entity embed, Relationship embed, Report embed, Sentence embed, Community report, Chunk sentences, Entity synonyms, Document documents, Chunk queries, Query link
UNWIND $keys AS key
MATCH (n:__Kind__ {key: key}) USING INDEX SEEK n:__Kind__(key)
SET n.todo___stage__ = $corpus
REMOVE n.__stage___fp
RETURN count(*) AS n
