// A page of chunks within some documents and that mention some types of entities, in key order
// params: corpus, after, end, documents, types, limit
MATCH (c:Chunk)-[:PART_OF]->(d:Document)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
  AND ($documents IS NULL OR d.key IN $documents)
  AND ($types IS NULL OR EXISTS { MATCH (c)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types })
WITH c, d ORDER BY c.key LIMIT $limit
RETURN c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d {.key, .uri, .title, .date} AS document
ORDER BY c.key
