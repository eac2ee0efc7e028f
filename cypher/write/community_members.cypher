// Members of communities, by internal id and key
// params: rows
// returns: n
// A transaction writes all members of a row: members of a new community that lacks the first are created without a search among the edges of each entity
CYPHER 5
UNWIND $rows AS row
MATCH (k:Community {key: row.community}) USING INDEX SEEK k:Community(key)
MATCH (first) WHERE id(first) = row.ids[0]
WITH row, k, row.stored OR EXISTS { (first)-[:IN_COMMUNITY]->(k) } AS begun
CALL (row, k, begun) {
  WITH row, k, begun
  WHERE NOT begun
  UNWIND range(0, size(row.ids) - 1) AS i
  MATCH (e) WHERE id(e) = row.ids[i] AND e.key = row.members[i]
  CREATE (e)-[:IN_COMMUNITY {level: row.level, since: k.since}]->(k)
  RETURN count(*) AS n
  UNION ALL
  WITH row, k, begun
  WHERE begun
  UNWIND range(0, size(row.ids) - 1) AS i
  MATCH (e) WHERE id(e) = row.ids[i] AND e.key = row.members[i]
  MERGE (e)-[m:IN_COMMUNITY]->(k)
  SET m.level = row.level, m.since = k.since
  RETURN count(*) AS n
}
RETURN sum(n) AS n
