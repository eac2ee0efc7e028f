// How much of the contexts of reports that are kept is new
// params: rows
UNWIND $rows AS row
MATCH (k:Community {key: row.key})-[:HAS_REPORT]->(r) USING INDEX SEEK k:Community(key)
WHERE r.until IS NULL
SET r.stale = row.stale
