// The sentences nearest to a question with at least a cosine, and those that are among the nearest to these or to what was added
// params: corpus, vector, least, limit, fetch, hops, neighbours
// returns: as read/search_queries
CALL db.index.vector.queryNodes('sentence_vector_' + $corpus, $limit + $fetch, $vector) YIELD node, score
WITH node, score ORDER BY score DESC, node.key LIMIT $limit
WITH node, 2 * score - 1 AS cosine
WHERE node.corpus = $corpus AND cosine >= $least
WITH collect(node) AS seeds
CALL (seeds) {
  UNWIND seeds AS s
  RETURN s, 0 AS hop
  UNION
  UNWIND CASE WHEN $hops > 0 THEN seeds ELSE [] END AS a
  CALL (a) {
    CALL db.index.vector.queryNodes('sentence_vector_' + $corpus, $neighbours + $fetch, a.embedding) YIELD node AS s, score
    RETURN s ORDER BY score DESC, s.key LIMIT $neighbours + 1
  }
  RETURN s, 1 AS hop
  UNION
  UNWIND CASE WHEN $hops > 1 THEN seeds ELSE [] END AS a
  CALL (a) {
    CALL db.index.vector.queryNodes('sentence_vector_' + $corpus, $neighbours + $fetch, a.embedding) YIELD node AS b, score
    RETURN b ORDER BY score DESC, b.key LIMIT $neighbours + 1
  }
  CALL (b) {
    CALL db.index.vector.queryNodes('sentence_vector_' + $corpus, $neighbours + $fetch, b.embedding) YIELD node AS s, score
    RETURN s ORDER BY score DESC, s.key LIMIT $neighbours + 1
  }
  RETURN DISTINCT s, 2 AS hop
}
WITH s, min(hop) AS hop
WHERE s.corpus = $corpus
MATCH (c)-[:HAS_SENTENCE]->(s)
MATCH (c)-[:PART_OF]->(d)
RETURN s {.key, answer: s.text} AS pair, c.key AS chunk, d.key AS document, d.title AS title, c.index AS chunk_index, hop,
  2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
