// Citations of reports
// params: rows
// for: Entity, Relationship, Claim, Report, Chunk
UNWIND $rows AS row
MATCH (r:Report {key: row.key})
MATCH (x:__Kind__ {key: row.target})
CREATE (r)-[:CITES {n: row.n}]->(x)
RETURN count(*) AS n
