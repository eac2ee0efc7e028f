// Citations of reports
// params: rows
// returns: n
// for: Entity, Relationship, Claim, Report, Chunk
UNWIND $rows AS row
MATCH (r:Report {key: row.key}) USING INDEX SEEK r:Report(key)
MATCH (x:__Kind__ {key: row.target}) USING INDEX SEEK x:__Kind__(key)
CREATE (r)-[:CITES {n: row.n}]->(x)
RETURN count(*) AS n
