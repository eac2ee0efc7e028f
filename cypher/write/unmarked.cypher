// Remove the marks of unchanged nodes
// params: rows
// returns: n
// for: Entity derive, Relationship derive, Entity describe, Relationship describe
// for: Chunk embed, Entity embed, Relationship embed, Report embed, Sentence embed, Community report, Chunk sentences, Chunk queries
UNWIND $rows AS row
MATCH (n:__Kind__ {key: row.key}) USING INDEX SEEK n:__Kind__(key)
REMOVE n.todo___stage__, n.__stage___error
RETURN count(*) AS n
