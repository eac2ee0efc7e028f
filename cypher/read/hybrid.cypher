// Hybrid search in one round trip: the full-text views, and nodes by name, terms and vector
// params: corpus, passage_index, document_index, terms, pairs, limit, names, searches, term_hits, vector, entity_vector, relationship_vector, vector_hits
// returns viewHit: view string, key string?, owner string?, document string?, passages int?, score float, aliases []string?
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes($passage_index, question, {limit: $limit}) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'passage' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score, null AS aliases
UNION ALL
UNWIND CASE $pairs WHEN '' THEN [] ELSE [$pairs] END AS question
CALL db.index.fulltext.queryNodes('pairs_' + $corpus, question, {limit: $limit}) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'pairs' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score, null AS aliases
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes($document_index, question, {limit: $limit}) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN 'document' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score, null AS aliases
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes('lead_' + $corpus, question, {limit: $limit}) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN 'lead' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score, null AS aliases
UNION ALL
UNWIND $searches AS search
CALL db.index.fulltext.queryNodes('terms_' + $corpus, search.terms, {limit: $term_hits}) YIELD node, score
WITH node, score, head([l IN labels(node) WHERE l IN search.kinds]) AS kind
WHERE kind IS NOT NULL AND node.corpus = $corpus
RETURN kind AS view, node.key AS key, CASE kind WHEN 'Entity' THEN node.type END AS owner, null AS document, 0 AS passages, score,
  CASE kind WHEN 'Entity' THEN node.aliases END AS aliases
UNION ALL
UNWIND $names AS name
MATCH (node:Entity {key: name, corpus: $corpus}) USING INDEX SEEK node:Entity(key)
RETURN 'name' AS view, node.key AS key, node.type AS owner, null AS document, 0 AS passages, 1.0 AS score, null AS aliases
UNION ALL
MATCH (k:Corpus {key: $corpus})
WHERE size($entity_vector) > 0 AND coalesce(k.embedder, '') STARTS WITH 'model:'
CALL db.index.vector.queryNodes('entity_vector_' + $corpus, $vector_hits, $entity_vector) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN 'entity vector' AS view, node.key AS key, null AS owner, null AS document, 0 AS passages, 2 * score - 1 AS score, null AS aliases
UNION ALL
MATCH (k:Corpus {key: $corpus})
WHERE size($relationship_vector) > 0 AND coalesce(k.embedder, '') STARTS WITH 'model:'
CALL db.index.vector.queryNodes('relationship_vector_' + $corpus, $vector_hits, $relationship_vector) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN 'relationship vector' AS view, node.key AS key, null AS owner, null AS document, 0 AS passages, 2 * score - 1 AS score, null AS aliases
UNION ALL
UNWIND CASE WHEN size($vector) = 0 THEN [] ELSE [$vector] END AS question
CALL db.index.vector.queryNodes('chunk_vector_' + $corpus, $vector_hits, question) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN 'chunk vector' AS view, node.key AS key, null AS owner, null AS document, 0 AS passages, 2 * score - 1 AS score, null AS aliases
UNION ALL
MATCH (k:Corpus {key: $corpus})
USING INDEX SEEK k:Corpus(key)
WHERE EXISTS {
  MATCH (r:Report)
  WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
    AND r.since <= coalesce(k.generation, 0) AND coalesce(r.until, 9007199254740992) > coalesce(k.generation, 0)
}
RETURN 'reports' AS view, k.key AS key, null AS owner, null AS document, 0 AS passages, 1.0 AS score, null AS aliases
