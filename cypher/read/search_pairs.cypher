// Passages by word pairs
// params: corpus, lucene, limit
CALL db.index.fulltext.queryNodes('pairs___corpus__', $lucene, {limit: $limit}) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
RETURN node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
ORDER BY score DESC, key
