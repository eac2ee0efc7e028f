// Citations of findings
// params: rows
// returns: n
// for: Entity, Relationship, Claim, Report, Chunk
UNWIND $rows AS row
MATCH (f:Finding {key: row.key}) USING INDEX SEEK f:Finding(key)
MATCH (x:__Kind__ {key: row.target}) USING INDEX SEEK x:__Kind__(key)
CREATE (f)-[:CITES {n: row.n}]->(x)
RETURN count(*) AS n
