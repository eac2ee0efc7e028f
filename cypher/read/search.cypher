// All full-text views in one round trip
// params: corpus, passage_index, document_index, terms, pairs, limit
// returns viewHit: view string, key string?, owner string?, document string?, passages int?, score float
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes($passage_index, question, {limit: $limit}) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'passage' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $pairs WHEN '' THEN [] ELSE [$pairs] END AS question
CALL db.index.fulltext.queryNodes('pairs_' + $corpus, question, {limit: $limit}) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'pairs' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes($document_index, question, {limit: $limit}) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN 'document' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes('lead_' + $corpus, question, {limit: $limit}) YIELD node, score
WITH node, score WHERE node.corpus = $corpus
RETURN 'lead' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
