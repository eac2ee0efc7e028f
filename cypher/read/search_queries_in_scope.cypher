// The kept pairs of a scope nearest to a question with at least a cosine, and those of the scope up to hops edges away
// params: corpus, after, end, vector, least, limit, hops, neighbours, documents, chunks
// returns: as read/search_queries
MATCH (n:Query)
WHERE n.key > $after AND n.key < $end AND n.corpus = $corpus AND n.kept
MATCH (c)-[:HAS_QUERY]->(n)
MATCH (c)-[:PART_OF]->(d)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH n, 2 * vector.similarity.cosine(n.embedding, $vector) - 1 AS cosine
WHERE cosine >= $least
WITH n ORDER BY cosine DESC, n.key LIMIT $limit
WITH collect(n) AS seeds
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
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
RETURN q {.key, .text, .answer} AS pair, c.key AS chunk, d.key AS document, d.title AS title, c.index AS chunk_index, hop,
  2 * vector.similarity.cosine(q.embedding, $vector) - 1 AS cosine
