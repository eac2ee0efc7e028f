// Marked nodes with the number of their mentions, in key order
// params: corpus, after
// returns: key string?, mentions int
// for: Entity derive, Relationship derive, Entity describe, Relationship describe
MATCH (n:__Kind__) USING INDEX SEEK n:__Kind__(todo___stage__, key)
WHERE n.todo___stage__ = $corpus AND n.key > $after
RETURN n.key AS key, COUNT { (n)<-[:MENTIONS]-() } AS mentions ORDER BY n.todo___stage__, n.key
