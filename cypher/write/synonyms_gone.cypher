// Delete the synonym edges of entities whose name changes or that nothing mentions, after marking the entities that lose one of a full list
// params: corpus, rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
WHERE e.name <> row.name OR row.name IS NULL AND NOT EXISTS { (e)<-[:MENTIONS]-() }
MATCH (e)-[r:SYNONYM]-()
WITH DISTINCT r, row.full AS full
WITH startNode(r) AS s, full, collect(r) AS lost
SET s.todo_synonyms = CASE WHEN s.synonyms >= full THEN $corpus ELSE s.todo_synonyms END, s.synonyms = s.synonyms - size(lost)
FOREACH (r IN lost | DELETE r)
