// The nodes of a kind with the nearest vectors; of reports only visible ones
// params: corpus, vector, fetch, limit
// returns: as read/search_terms
// for: Chunk, Entity, Relationship, Report
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
CALL db.index.vector.queryNodes('__kind___vector_' + $corpus, $fetch, $vector) YIELD node, score
WITH g, node, score
WHERE node.corpus = $corpus
  AND (node.since IS NULL OR node.since <= g AND coalesce(node.until, 9007199254740992) > g)
WITH node, score
ORDER BY score DESC, node.key
LIMIT $limit
OPTIONAL MATCH (node)-[:PART_OF]->(d:Document)
OPTIONAL MATCH (c:Community)-[:HAS_REPORT]->(node)
RETURN node.key AS key, coalesce(c.key, CASE WHEN d IS NOT NULL THEN node.key END) AS owner, d.key AS document, score
