// Delete links to the former ends of claims
// params: rows
UNWIND $rows AS row
MATCH (k:Claim {key: row.key})
WITH row, k
MATCH (k)-[r:SUBJECT|OBJECT]->(e)
WHERE type(r) = 'SUBJECT' AND e.key <> row.subject OR type(r) = 'OBJECT' AND e.key <> row.object
DELETE r
