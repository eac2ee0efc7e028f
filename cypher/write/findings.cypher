// Findings of reports
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (r:Report {key: row.report}) USING INDEX SEEK r:Report(key)
MERGE (f:Finding {key: row.key})
SET f = row.set
MERGE (r)-[:HAS_FINDING]->(f)
RETURN count(*) AS n
