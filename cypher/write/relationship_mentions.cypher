// Mentions of relationships in chunks
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.chunk}) USING INDEX SEEK c:Chunk(key)
MATCH (r:Relationship {key: row.key}) USING INDEX SEEK r:Relationship(key)
CREATE (c)-[m:MENTIONS]->(r)
SET m.descriptions = row.descriptions, m.keywords = row.keywords, m.strength = row.strength, m.count = row.count, m.forward = row.forward
RETURN count(*) AS n
