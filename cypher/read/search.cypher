// All full-text views in one round trip
//no scope: // params: corpus, passage_index, document_index, terms, pairs, limit
//in scope: // params: corpus, passage_index, document_index, terms, pairs, documents, chunks, limit
//no scope: // returns viewHit: view string, key string?, owner string?, document string?, passages int?, score float
//in scope: // returns: as read/search
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
//no scope: CALL db.index.fulltext.queryNodes($passage_index, question, {limit: $limit}) YIELD node, score
//in scope: CALL db.index.fulltext.queryNodes($passage_index, question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'passage' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $pairs WHEN '' THEN [] ELSE [$pairs] END AS question
//no scope: CALL db.index.fulltext.queryNodes('pairs_' + $corpus, question, {limit: $limit}) YIELD node, score
//in scope: CALL db.index.fulltext.queryNodes('pairs_' + $corpus, question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'pairs' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
//no scope: CALL db.index.fulltext.queryNodes($document_index, question, {limit: $limit}) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//in scope: CALL db.index.fulltext.queryNodes($document_index, question) YIELD node, score
//in scope: WITH node, score
//in scope: WHERE node.corpus = $corpus AND node.key IN $documents
//in scope: WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'document' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
//no scope: CALL db.index.fulltext.queryNodes('lead_' + $corpus, question, {limit: $limit}) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//in scope: CALL db.index.fulltext.queryNodes('lead_' + $corpus, question) YIELD node, score
//in scope: WITH node, score
//in scope: WHERE node.corpus = $corpus AND node.key IN $documents
//in scope: WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'lead' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
