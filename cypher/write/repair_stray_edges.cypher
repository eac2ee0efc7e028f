// Delete edges between entities that have no relationship, and mark their ends to be derived
// params: corpus, rows
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.topology, 0) + 1 AS topology
UNWIND $rows AS row
MATCH (s:Entity {key: row.key})-[x:RELATED]->(t:Entity) USING INDEX SEEK s:Entity(key)
WHERE x.key = row.edge
SET s.todo_derive = $corpus, t.todo_derive = $corpus, s.topology = topology, t.topology = topology
REMOVE s.derive_fp, t.derive_fp
DELETE x
