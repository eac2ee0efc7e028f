// Vectors of the names of entities
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
SET e.name_vector = CASE WHEN row.vector IS NULL THEN null ELSE e.name_vector END, e.name_fp = row.fp
WITH e, row
CALL (e, row) {
  WITH e, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(e, 'name_vector', row.vector)
}
RETURN count(*) AS n
