// The chunks before and after chunks in their documents
// params: corpus, keys
// returns: chunk string?, neighbour string?
UNWIND $keys AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:NEXT_CHUNK]-(n:Chunk) USING INDEX SEEK c:Chunk(key)
RETURN key AS chunk, n.key AS neighbour
