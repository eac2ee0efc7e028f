// Chunks: what was read out of one
// params: corpus, chunk, limit
// about: The entities, relationships and claims that a chunk gave, each with what was said.
// param: chunk text read/default_chunk: id of a chunk, as documents/chunks shows it
// param: limit whole 100: rows at most
MATCH (c:Chunk)
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
