// Chunks: what was extracted from a chunk
// params: corpus, chunk, limit
// about: The entities, relationships and claims extracted from a chunk, each with its description.
// param: chunk text read/default_chunk: use the chunk with this ID, as documents/chunks shows it
// param: limit whole 100: maximum number of rows
MATCH (c:Chunk) USING INDEX SEEK c:Chunk(key)
WHERE c.key IN [$chunk, $corpus + '/' + $chunk] AND c.corpus = $corpus
CALL (c) {
  MATCH (c)-[m:MENTIONS]->(e:Entity)
  RETURN 'entity' AS kind, e.name AS name, [x IN m.descriptions WHERE x <> ''] AS says
  UNION ALL
  MATCH (c)-[m:MENTIONS]->(r:Relationship)
  RETURN 'relationship' AS kind, r.name AS name, [x IN m.descriptions WHERE x <> ''] AS says
  UNION ALL
  MATCH (c)-[:STATES]->(k:Claim)
  RETURN 'claim' AS kind, k.subject AS name, [k.description] AS says
}
RETURN kind, name, says
ORDER BY kind, name
LIMIT $limit
