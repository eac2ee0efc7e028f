// Entities, relationships and claims that a question finds by terms, name and vector, of those that some documents, or some of their chunks, speak of
// params: corpus, terms, names, fetch, vector, hashed, nearest, documents, chunks
UNWIND CASE $terms WHEN '' THEN [] ELSE [$terms] END AS question
CALL db.index.fulltext.queryNodes('terms_' + $corpus, question) YIELD node, score
WITH node, score, head([l IN labels(node) WHERE l IN ['Entity', 'Relationship', 'Claim']]) AS kind
WHERE kind IS NOT NULL AND node.corpus = $corpus AND EXISTS {
  MATCH (node)<-[:MENTIONS|STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
  WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
}
WITH node, score, kind ORDER BY score DESC, node.key LIMIT $fetch
RETURN kind AS view, node.key AS key, score
UNION ALL
UNWIND $names AS name
MATCH (node:Entity {key: name, corpus: $corpus})
WHERE EXISTS {
  MATCH (node)<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
  WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
}
RETURN 'name' AS view, node.key AS key, 1.0 AS score
UNION ALL
MATCH (k:Corpus {key: $corpus})
WHERE size($vector) > 0 AND (NOT $hashed OR NOT coalesce(k.embedder, '') STARTS WITH 'model:')
CALL db.index.vector.queryNodes('entity_vector_' + $corpus, $nearest, $vector) YIELD node, score
WITH node, score
WHERE node.corpus = $corpus AND EXISTS {
  MATCH (node)<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
  WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
}
RETURN 'entity vector' AS view, node.key AS key, 2 * score - 1 AS score
UNION ALL
MATCH (k:Corpus {key: $corpus})
USING INDEX SEEK k:Corpus(key)
WHERE EXISTS {
  MATCH (r:Report)
  WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
    AND r.since <= coalesce(k.generation, 0) AND coalesce(r.until, 9007199254740992) > coalesce(k.generation, 0)
}
RETURN 'reports' AS view, k.key AS key, 1.0 AS score
