// Members of communities that were made for measurements
// params: rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key})
UNWIND row.communities AS key
MATCH (c:Community {key: key})
CREATE (e)-[:IN_COMMUNITY {level: c.level, since: 1}]->(c)
