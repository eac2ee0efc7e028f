// Claims that chunks state. What a chunk says of a claim that others may state too is kept on the edge
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.chunk}) USING INDEX SEEK c:Chunk(key)
MATCH (s:Entity {key: row.subject}) USING INDEX SEEK s:Entity(key)
MERGE (k:Claim {key: row.key})
ON CREATE SET k:$('Claim_' + $corpus), k.corpus = $corpus
SET k += row.set
MERGE (c)-[r:STATES]->(k)
SET r = row.said
MERGE (k)-[:SUBJECT]->(s)
RETURN count(*) AS n
