// Members of new communities
// params: rows, next
UNWIND $rows AS row
MATCH (k:Community {key: row.community})
MATCH (e:Entity {key: row.key})
MERGE (e)-[m:IN_COMMUNITY]->(k)
SET m.level = row.level, m.since = $next
RETURN count(*) AS n
