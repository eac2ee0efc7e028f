// Synonyms of entities
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
MATCH (o:Entity {key: row.to}) USING INDEX SEEK o:Entity(key)
MERGE (e)-[r:SYNONYM]->(o)
SET r.score = row.score
RETURN count(*) AS n
