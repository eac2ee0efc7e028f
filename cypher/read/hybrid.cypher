// Hybrid search in one round trip: the full-text views, and nodes by name, terms and vector
//no scope: // params: corpus, passage_index, document_index, terms, pairs, limit, names, searches, term_hits, vector, entity_vector, relationship_vector, vector_hits
//in scope: // params: corpus, passage_index, document_index, terms, pairs, limit, names, searches, term_hits, vector, entity_vector, relationship_vector, vector_fetch, vector_hits, documents, chunks
//no scope: // returns viewHit: view string, key string?, owner string?, document string?, passages int?, score float, aliases []string?
//in scope: // returns: as read/hybrid
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
//no scope: CALL db.index.fulltext.queryNodes($passage_index, question, {limit: $limit}) YIELD node, score
//in scope: CALL db.index.fulltext.queryNodes($passage_index, question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'passage' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score, null AS aliases
UNION ALL
UNWIND CASE $pairs WHEN '' THEN [] ELSE [$pairs] END AS question
//no scope: CALL db.index.fulltext.queryNodes('pairs_' + $corpus, question, {limit: $limit}) YIELD node, score
//in scope: CALL db.index.fulltext.queryNodes('pairs_' + $corpus, question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'pairs' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score, null AS aliases
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
//no scope: CALL db.index.fulltext.queryNodes($document_index, question, {limit: $limit}) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//in scope: CALL db.index.fulltext.queryNodes($document_index, question) YIELD node, score
//in scope: WITH node, score
//in scope: WHERE node.corpus = $corpus AND node.key IN $documents
//in scope: WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'document' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score, null AS aliases
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
//no scope: CALL db.index.fulltext.queryNodes('lead_' + $corpus, question, {limit: $limit}) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//in scope: CALL db.index.fulltext.queryNodes('lead_' + $corpus, question) YIELD node, score
//in scope: WITH node, score
//in scope: WHERE node.corpus = $corpus AND node.key IN $documents
//in scope: WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'lead' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score, null AS aliases
UNION ALL
UNWIND $searches AS search
//no scope: CALL db.index.fulltext.queryNodes('terms_' + $corpus, search.terms, {limit: $term_hits}) YIELD node, score
//no scope: WITH node, score, head([l IN labels(node) WHERE l IN search.kinds]) AS kind
//no scope: WHERE kind IS NOT NULL AND node.corpus = $corpus
//in scope: CALL (search) {
//in scope:   CALL db.index.fulltext.queryNodes('terms_' + $corpus, search.terms) YIELD node, score
//in scope:   WITH node, score, head([l IN labels(node) WHERE l IN search.kinds]) AS kind
//in scope:   WHERE kind IS NOT NULL AND node.corpus = $corpus AND EXISTS {
//in scope:     MATCH (node)<-[:MENTIONS|STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:     WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope:   }
//in scope:   RETURN node, score, kind ORDER BY score DESC, node.key LIMIT $term_hits
//in scope: }
RETURN kind AS view, node.key AS key, CASE kind WHEN 'Entity' THEN node.type END AS owner, null AS document, 0 AS passages, score,
  CASE kind WHEN 'Entity' THEN [node.name] + coalesce(node.aliases, []) END AS aliases
UNION ALL
UNWIND $names AS name
MATCH (node:Entity {key: name, corpus: $corpus}) USING INDEX SEEK node:Entity(key)
//in scope: WHERE EXISTS {
//in scope:   MATCH (node)<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:   WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: }
RETURN 'name' AS view, node.key AS key, node.type AS owner, null AS document, 0 AS passages, 1.0 AS score, null AS aliases
UNION ALL
MATCH (k:Corpus {key: $corpus})
WHERE size($entity_vector) > 0 AND coalesce(k.embedder, '') STARTS WITH 'model:'
//no scope: CALL db.index.vector.queryNodes('entity_vector_' + $corpus, $vector_hits, $entity_vector) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//in scope: CALL db.index.vector.queryNodes('entity_vector_' + $corpus, $vector_fetch, $entity_vector) YIELD node, score
//in scope: WITH node, score
//in scope: WHERE node.corpus = $corpus AND EXISTS {
//in scope:   MATCH (node)<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:   WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: }
//in scope: WITH node, score ORDER BY score DESC, node.key LIMIT $vector_hits
RETURN 'entity vector' AS view, node.key AS key, null AS owner, null AS document, 0 AS passages, 2 * score - 1 AS score, null AS aliases
UNION ALL
MATCH (k:Corpus {key: $corpus})
WHERE size($relationship_vector) > 0 AND coalesce(k.embedder, '') STARTS WITH 'model:'
//no scope: CALL db.index.vector.queryNodes('relationship_vector_' + $corpus, $vector_hits, $relationship_vector) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//in scope: CALL db.index.vector.queryNodes('relationship_vector_' + $corpus, $vector_fetch, $relationship_vector) YIELD node, score
//in scope: WITH node, score
//in scope: WHERE node.corpus = $corpus AND EXISTS {
//in scope:   MATCH (node)<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:   WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: }
//in scope: WITH node, score ORDER BY score DESC, node.key LIMIT $vector_hits
RETURN 'relationship vector' AS view, node.key AS key, null AS owner, null AS document, 0 AS passages, 2 * score - 1 AS score, null AS aliases
UNION ALL
UNWIND CASE WHEN size($vector) = 0 THEN [] ELSE [$vector] END AS question
//no scope: CALL db.index.vector.queryNodes('chunk_vector_' + $corpus, $vector_hits, question) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//no scope: RETURN 'chunk vector' AS view, node.key AS key, null AS owner, null AS document, 0 AS passages, 2 * score - 1 AS score, null AS aliases
//in scope: MATCH (c:Chunk)-[:PART_OF]->(d:Document)
//in scope: WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.corpus = $corpus AND c.embedding IS NOT NULL
//in scope:   AND d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH c, vector.similarity.cosine(c.embedding, question) AS score
//in scope: ORDER BY score DESC, c.key LIMIT $vector_hits
//in scope: RETURN 'chunk vector' AS view, c.key AS key, null AS owner, null AS document, 0 AS passages, 2 * score - 1 AS score, null AS aliases
UNION ALL
MATCH (k:Corpus {key: $corpus})
USING INDEX SEEK k:Corpus(key)
WHERE EXISTS {
  MATCH (r:Report)
  WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
    AND r.since <= coalesce(k.generation, 0) AND coalesce(r.until, 9007199254740992) > coalesce(k.generation, 0)
}
RETURN 'reports' AS view, k.key AS key, null AS owner, null AS document, 0 AS passages, 1.0 AS score, null AS aliases
