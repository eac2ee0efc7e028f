// Whether a database can be written to: one row for each server that has it
// params: database
// returns: writable bool
SHOW DATABASES YIELD name, access, writer
WHERE name = toLower($database)
RETURN access <> 'read-only' AND coalesce(writer, true) AS writable
