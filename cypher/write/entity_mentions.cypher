// Mentions of entities in chunks
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.chunk}) USING INDEX SEEK c:Chunk(key)
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
CREATE (c)-[m:MENTIONS]->(e)
SET m.names = row.names, m.types = row.types, m.descriptions = row.descriptions, m.absent = row.absent, m.same = row.same
RETURN count(*) AS n
