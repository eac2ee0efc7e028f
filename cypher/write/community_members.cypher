// Members of communities
// params: rows
// What a community without members lacks is created without a search among the edges of each entity
UNWIND $rows AS row
MATCH (k:Community {key: row.community}) USING INDEX SEEK k:Community(key)
WITH row, k, EXISTS { (k)<-[:IN_COMMUNITY]-() } AS begun
CALL (row, k, begun) {
  WITH row, k, begun
  WHERE NOT begun
  UNWIND row.members AS key
  MATCH (e:Entity {key: key}) USING INDEX SEEK e:Entity(key)
  CREATE (e)-[:IN_COMMUNITY {level: row.level, since: k.since}]->(k)
  RETURN count(*) AS n
  UNION ALL
  WITH row, k, begun
  WHERE begun
  UNWIND row.members AS key
  MATCH (e:Entity {key: key}) USING INDEX SEEK e:Entity(key)
  MERGE (e)-[m:IN_COMMUNITY]->(k)
  SET m.level = row.level, m.since = k.since
  RETURN count(*) AS n
}
RETURN sum(n) AS n
