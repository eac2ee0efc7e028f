// The servers that have a database, one row each
// params: database
// returns: address string, role string?, writes bool, status string, readOnly bool
SHOW DATABASES YIELD name, address, role, writer, currentStatus, access
WHERE name = toLower($database)
RETURN address, role, coalesce(writer, true) AS writes, currentStatus AS status, access = 'read-only' AS readOnly
ORDER BY address
