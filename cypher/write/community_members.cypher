// Members of communities
// params: rows
UNWIND $rows AS row
MATCH (k:Community {key: row.community})
MATCH (e:Entity {key: row.key})
MERGE (e)-[m:IN_COMMUNITY]->(k)
SET m.level = row.level, m.since = k.since
RETURN count(*) AS n
