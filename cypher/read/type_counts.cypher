// How many entities of some types there are, and how many documents mention one
// params: types
// returns TypeCount: entities int, documents int
// scan: the entities of a type have no index in a corpus; only its own are read
MATCH (e:Entity___corpus__)
WHERE e.type IN $types
OPTIONAL MATCH (e)<-[:MENTIONS]-(:Chunk)-[:PART_OF]->(d:Document)
RETURN count(DISTINCT e) AS entities, count(DISTINCT d) AS documents
