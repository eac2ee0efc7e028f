// Delete links to the former ends of claims
// params: rows
UNWIND $rows AS row
MATCH (k:Claim {key: row.key})-[r:SUBJECT|OBJECT]->(e) USING INDEX SEEK k:Claim(key)
WHERE type(r) = 'SUBJECT' AND e.key <> row.subject OR type(r) = 'OBJECT' AND e.key <> row.object
DELETE r
