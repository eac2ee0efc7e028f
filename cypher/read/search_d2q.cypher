// The chunks that are nearest to a question together with their own questions
// params: corpus, vector, limit
// returns: as read/search_terms
// for: Chunk d2q, Chunk d2q_kept
CALL db.index.vector.queryNodes('__kind_____stage___vector_' + $corpus, $limit, $vector) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
MATCH (node)-[:PART_OF]->(d)
RETURN node.key AS key, node.key AS owner, d.key AS document, score
