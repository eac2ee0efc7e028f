// Values of entities
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
FOREACH (x IN CASE WHEN e.name <> row.name THEN [e] ELSE [] END | REMOVE x.name_fp, x.name_vector)
SET e.todo_synonyms = CASE WHEN row.synonyms AND (e.synonyms IS NULL OR e.name <> row.name) THEN $corpus ELSE e.todo_synonyms END
SET e.name = row.name, e.type = row.type, e.degree = row.degree, e.frequency = row.frequency, e.absent = row.absent, e.aliases = row.aliases, e.derive_fp = row.fp, e.todo_describe = $corpus
REMOVE e.todo_derive, e.derive_error
RETURN count(*) AS n
