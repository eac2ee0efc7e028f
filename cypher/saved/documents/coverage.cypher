// Documents: extraction coverage
// params: corpus, after, limit
// about: For each document: the number of chunks that mention entities, of distinct entities, and of chunks that state a claim.
// param: after text '': continue after this URI
// param: limit whole 25: maximum number of documents
MATCH (d:Document)
WHERE d.key > $corpus + '/' + $after AND d.key < $corpus + '0' AND d.corpus = $corpus
WITH d ORDER BY d.key LIMIT $limit
CALL (d) {
  MATCH (d)<-[:PART_OF]-(c:Chunk)
  OPTIONAL MATCH (c)-[:MENTIONS]->(e:Entity)
  WITH c, collect(e) AS es, COUNT { (c)-[:STATES]->() } AS stated
  UNWIND CASE es WHEN [] THEN [null] ELSE es END AS e
  RETURN count(DISTINCT c) AS chunks, count(DISTINCT CASE WHEN e IS NOT NULL THEN c END) AS with_entities, count(DISTINCT e) AS entities,
    count(DISTINCT CASE WHEN stated > 0 THEN c END) AS with_claims
}
RETURN d.uri AS document, chunks, with_entities, CASE chunks WHEN 0 THEN 0.0 ELSE round(100.0 * with_entities / chunks) END AS percent, entities, with_claims
