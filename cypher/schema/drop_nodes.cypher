// Delete a batch of nodes of a kind of a corpus, with their edges
// params: corpus, limit
// returns: n
// for: Passage, Sentence, NamePair, Query, Finding, Report, Claim, Relationship, Chunk, Entity, Community, Document, Run
MATCH (n:__Kind__)
WHERE n.key > $corpus + '/' AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS n
