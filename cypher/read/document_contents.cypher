// The chunks and the names of metadata that documents have
// params: corpus, keys
// returns: key string?, meta []string?, chunks []string?
UNWIND $keys AS key
MATCH (d:Document {key: key, corpus: $corpus}) USING INDEX SEEK d:Document(key)
RETURN d.key AS key, [name IN keys(d) WHERE name STARTS WITH 'meta_'] AS meta, COLLECT {
  MATCH (d)<-[:PART_OF]-(c:Chunk)
  RETURN c.key
} AS chunks
