// Values of relationships and their edges; a new edge marks its ends
// params: corpus, rows, by_strength
// returns: n int, edges int
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.topology, 0) + 1 AS topology
UNWIND $rows AS row
MATCH (r:Relationship {key: row.key}) USING INDEX SEEK r:Relationship(key)
WITH topology, row, r, $by_strength AND coalesce(r.strength <> row.strength, true) AS moved
MATCH (r)-[:SOURCE]->(s)
MATCH (r)-[:TARGET]->(t)
SET r.weight = row.weight, r.strength = row.strength, r.keywords = row.keywords, r.derive_fp = row.fp, r.todo_describe = $corpus
REMOVE r.todo_derive, r.derive_error
MERGE (s)-[e:RELATED]->(t)
ON CREATE SET e.key = row.key, s.todo_derive = $corpus, t.todo_derive = $corpus
WITH topology, s, t, e, row, moved OR coalesce(e.weight, 0) <> row.weight AS moved
SET e.weight = row.weight
FOREACH (end IN CASE WHEN moved THEN [s, t] ELSE [] END | SET end.topology = topology)
RETURN count(*) AS n, sum(CASE WHEN moved THEN 1 ELSE 0 END) AS edges
