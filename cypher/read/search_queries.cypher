// The kept pairs nearest to a question with at least a cosine, and those up to hops edges away
// params: corpus, vector, fetch, least, limit, hops, neighbours
// returns QueryHit: pair {pair}, chunk string?, document string?, title string?, chunk_index int?, hop int, cosine float?
CALL db.index.vector.queryNodes('query_vector_' + $corpus, $fetch, $vector) YIELD node, score
WITH node, 2 * score - 1 AS cosine
WHERE node.corpus = $corpus AND node.kept AND cosine >= $least
WITH node ORDER BY cosine DESC, node.key LIMIT $limit
WITH collect(node) AS seeds
CALL (seeds) {
  UNWIND seeds AS q
  RETURN q, 0 AS hop
  UNION
  UNWIND CASE WHEN $hops > 0 THEN seeds ELSE [] END AS s
  CALL (s) { MATCH (s)-[r:SIMILAR_QUERY]->(q) RETURN q ORDER BY r.score DESC, q.key LIMIT $neighbours }
  RETURN q, 1 AS hop
  UNION
  UNWIND CASE WHEN $hops > 1 THEN seeds ELSE [] END AS s
  CALL (s) { MATCH (s)-[r:SIMILAR_QUERY]->(t) RETURN t ORDER BY r.score DESC, t.key LIMIT $neighbours }
  CALL (t) { MATCH (t)-[r:SIMILAR_QUERY]->(q) RETURN q ORDER BY r.score DESC, q.key LIMIT $neighbours }
  RETURN q, 2 AS hop
}
WITH q, min(hop) AS hop
MATCH (c)-[:HAS_QUERY]->(q)
MATCH (c)-[:PART_OF]->(d)
RETURN q {.key, .text, .answer} AS pair, c.key AS chunk, d.key AS document, d.title AS title, c.index AS chunk_index, hop,
  2 * vector.similarity.cosine(q.embedding, $vector) - 1 AS cosine
