// The places of records in their files
// params: rows
UNWIND $rows AS row
MATCH (d:Document {key: row.key}) USING INDEX SEEK d:Document(key)
SET d.row = row.row, d.line = row.line
