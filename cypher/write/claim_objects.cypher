// Objects of claims
// params: rows
UNWIND $rows AS row
MATCH (k:Claim {key: row.key})
MATCH (o:Entity {key: row.object})
MERGE (k)-[:OBJECT]->(o)
RETURN count(*) AS n
