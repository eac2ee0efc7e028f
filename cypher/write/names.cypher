// Edges of sentences to the entities that they name
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (s:Sentence {key: row.key}) USING INDEX SEEK s:Sentence(key)
MATCH (e:Entity {key: row.entity}) USING INDEX SEEK e:Entity(key)
MERGE (s)-[:NAMES]->(e)
RETURN count(*) AS n
