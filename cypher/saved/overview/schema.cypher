// Overview: the schema of the graph
// params: corpus
// about: The types of edges between the kinds of nodes, and how many of each the corpus has. The numbers come from counts that the server keeps, so this is fast on any corpus, unlike the schema picture of Browser.
RETURN 'Community' AS from, 'PARENT_COMMUNITY' AS edge, 'Community' AS to, COUNT {
  MATCH (c:Community)-[:PARENT_COMMUNITY]->()
  WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
} AS edges
UNION ALL
UNWIND [
  ['Document', 'IN_CORPUS', 'Corpus', COUNT { MATCH (:Document___corpus__)-[:IN_CORPUS]->() }],
  ['Document', 'FIRST_CHUNK', 'Chunk', COUNT { MATCH (:Document___corpus__)-[:FIRST_CHUNK]->() }],
  ['Chunk', 'NEXT_CHUNK', 'Chunk', COUNT { MATCH (:Chunk___corpus__)-[:NEXT_CHUNK]->() }],
  ['Chunk', 'PART_OF', 'Document', COUNT { MATCH (:Chunk___corpus__)-[:PART_OF]->() }],
  ['Chunk', 'HAS_PASSAGE', 'Passage', COUNT { MATCH (:Chunk___corpus__)-[:HAS_PASSAGE]->() }],
  ['Chunk', 'MENTIONS', 'Entity', COUNT { MATCH ()-[:MENTIONS]->(:Entity___corpus__) }],
  ['Chunk', 'MENTIONS', 'Relationship', COUNT { MATCH ()-[:MENTIONS]->(:Relationship___corpus__) }],
  ['Relationship', 'SOURCE', 'Entity', COUNT { MATCH (:Relationship___corpus__)-[:SOURCE]->() }],
  ['Relationship', 'TARGET', 'Entity', COUNT { MATCH (:Relationship___corpus__)-[:TARGET]->() }],
  ['Entity', 'RELATED', 'Entity', COUNT { MATCH (:Entity___corpus__)-[:RELATED]->() }],
  ['Chunk', 'STATES', 'Claim', COUNT { MATCH (:Chunk___corpus__)-[:STATES]->() }],
  ['Claim', 'SUBJECT', 'Entity', COUNT { MATCH (:Claim___corpus__)-[:SUBJECT]->() }],
  ['Claim', 'OBJECT', 'Entity', COUNT { MATCH (:Claim___corpus__)-[:OBJECT]->() }],
  ['Entity', 'IN_COMMUNITY', 'Community', COUNT { MATCH (:Entity___corpus__)-[:IN_COMMUNITY]->() }],
  ['Community', 'HAS_REPORT', 'Report', COUNT { MATCH ()-[:HAS_REPORT]->(:Report___corpus__) }],
  ['Report', 'HAS_FINDING', 'Finding', COUNT { MATCH (:Report___corpus__)-[:HAS_FINDING]->() }],
  ['Report', 'CITES', 'Entity, Relationship, Claim, Report, Chunk', COUNT { MATCH (:Report___corpus__)-[:CITES]->() }]
] AS line
WITH line WHERE line[3] > 0
RETURN line[0] AS from, line[1] AS edge, line[2] AS to, line[3] AS edges
