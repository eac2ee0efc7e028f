// Record that the synonyms of entities are found
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
SET e.synonyms = row.neighbours
REMOVE e.todo_synonyms, e.synonyms_error
RETURN count(*) AS n
