// Delete the edges of entities to what is no longer a synonym
// params: rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key})-[r:SYNONYM]->(o) USING INDEX SEEK e:Entity(key)
WHERE NOT o.key IN row.keep
DELETE r
