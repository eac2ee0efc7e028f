// Objects of claims
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (k:Claim {key: row.key}) USING INDEX SEEK k:Claim(key)
MATCH (o:Entity {key: row.object}) USING INDEX SEEK o:Entity(key)
MERGE (k)-[:OBJECT]->(o)
RETURN count(*) AS n
