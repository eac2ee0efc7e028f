// All full-text views of a question at once, within some documents and chunks that mention some types of entities
// params: corpus, terms, pairs, documents, types, limit
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes('passage___corpus__', question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
WHERE ($documents IS NULL OR d.key IN $documents)
  AND ($types IS NULL OR EXISTS { MATCH (c)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types })
WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'passage' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $pairs WHEN '' THEN [] ELSE [$pairs] END AS question
CALL db.index.fulltext.queryNodes('pairs___corpus__', question) YIELD node, score
MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
WHERE ($documents IS NULL OR d.key IN $documents)
  AND ($types IS NULL OR EXISTS { MATCH (c)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types })
WITH node, c, d, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'pairs' AS view, node.key AS key, c.key AS owner, d.key AS document, d.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes('document___corpus__', question) YIELD node, score
WITH node, score
WHERE node.corpus = $corpus AND ($documents IS NULL OR node.key IN $documents)
  AND ($types IS NULL OR EXISTS { MATCH (node)<-[:PART_OF]-(:Chunk)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types })
WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'document' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
UNION ALL
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes('lead___corpus__', question) YIELD node, score
WITH node, score
WHERE node.corpus = $corpus AND ($documents IS NULL OR node.key IN $documents)
  AND ($types IS NULL OR EXISTS { MATCH (node)<-[:PART_OF]-(:Chunk)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types })
WITH node, score ORDER BY score DESC, node.key LIMIT $limit
RETURN 'lead' AS view, node.key AS key, node.key AS owner, node.key AS document, node.passages AS passages, score
