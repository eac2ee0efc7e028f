// Give nodes the label of their corpus
// params: corpus, keys
// for: Document, Chunk, Passage, Entity, Relationship, Claim, Report, Query, Sentence
UNWIND $keys AS key
MATCH (n:__Kind__ {key: key}) USING INDEX SEEK n:__Kind__(key)
SET n:$('__Kind___' + $corpus)
