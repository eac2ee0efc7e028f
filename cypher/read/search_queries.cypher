// The kept pairs nearest to a question with at least a cosine, and those up to hops edges away
//no scope: // params: corpus, vector, fetch, least, limit, hops, neighbours
//in scope: // params: corpus, after, end, vector, least, limit, hops, neighbours, documents, chunks
//no scope: // returns QueryHit: pair {pair}, chunk string?, document string?, title string?, chunk_index int?, hop int, cosine float?
//in scope: // returns: as read/search_queries
//no scope: CALL db.index.vector.queryNodes('query_vector_' + $corpus, $fetch, $vector) YIELD node, score
//no scope: WITH node, 2 * score - 1 AS cosine
//no scope: WHERE node.corpus = $corpus AND node.kept AND cosine >= $least
//no scope: WITH node ORDER BY cosine DESC, node.key LIMIT $limit
//no scope: WITH collect(node) AS seeds
//in scope: MATCH (n:Query)
//in scope: WHERE n.key > $after AND n.key < $end AND n.corpus = $corpus AND n.kept
//in scope: MATCH (c)-[:HAS_QUERY]->(n)
//in scope: MATCH (c)-[:PART_OF]->(d)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH n, 2 * vector.similarity.cosine(n.embedding, $vector) - 1 AS cosine
//in scope: WHERE cosine >= $least
//in scope: WITH n ORDER BY cosine DESC, n.key LIMIT $limit
//in scope: WITH collect(n) AS seeds
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
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
RETURN q {.key, .text, .answer} AS pair, c.key AS chunk, d.key AS document, d.title AS title, c.index AS chunk_index, hop,
  2 * vector.similarity.cosine(q.embedding, $vector) - 1 AS cosine
