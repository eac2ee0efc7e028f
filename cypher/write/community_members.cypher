// Members of communities
// params: rows
UNWIND $rows AS row
MATCH (k:Community {key: row.community}) USING INDEX SEEK k:Community(key)
UNWIND row.members AS key
MATCH (e:Entity {key: key}) USING INDEX SEEK e:Entity(key)
MERGE (e)-[m:IN_COMMUNITY]->(k)
SET m.level = row.level, m.since = k.since
RETURN count(*) AS n
