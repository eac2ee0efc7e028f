// Members of communities for a benchmark
// params: rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key})
UNWIND row.communities AS key
MATCH (c:Community {key: key})
CREATE (e)-[:IN_COMMUNITY {level: c.level, since: 1}]->(c)
