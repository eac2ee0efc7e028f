// Replace the type labels of entities whose type changes
// params: rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
WITH e, row, [label IN [e.type_label] WHERE label IS NOT NULL] AS old, [label IN [row.type_label] WHERE label IS NOT NULL] AS new
WHERE old <> new
REMOVE e:$(old)
SET e:$(new), e.type_label = row.type_label
