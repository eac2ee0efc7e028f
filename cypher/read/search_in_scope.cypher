// All full-text views of a scope in one round trip
// params: corpus, passage_index, document_index, terms, pairs, documents, chunks, limit
// returns: as read/search
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes($passage_index, question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'passage' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $pairs WHEN '' THEN [] ELSE [$pairs] END AS question
CALL db.index.fulltext.queryNodes('pairs_' + $corpus, question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'pairs' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes($document_index, question) YIELD node, score
WITH node, score
WHERE node.corpus = $corpus AND node.key IN $documents
WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'document' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes('lead_' + $corpus, question) YIELD node, score
WITH node, score
WHERE node.corpus = $corpus AND node.key IN $documents
WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'lead' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
