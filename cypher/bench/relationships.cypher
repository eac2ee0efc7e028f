// Relationships for a benchmark
// params: corpus, rows
UNWIND $rows AS row
MATCH (s:Entity {key: row.source})
MATCH (t:Entity {key: row.target})
CREATE (r:Relationship:Relationship___corpus__ {key: row.key, corpus: $corpus, name: s.name + ' — ' + t.name})
SET r += row.set
CREATE (r)-[:SOURCE]->(s)
CREATE (r)-[:TARGET]->(t)
CREATE (s)-[:RELATED {key: r.key, weight: r.weight, description: left(r.description, 120)}]->(t)
