// Chunks with the title of their document and the headings in them
// params: corpus, keys
// returns: key string?, document string?, title string?, text string?, headings []string?, heading_starts []int?
UNWIND $keys AS key
MATCH (c:Chunk {key: key, corpus: $corpus}) USING INDEX SEEK c:Chunk(key)
MATCH (c)-[:PART_OF]->(d:Document)
RETURN key, d.key AS document, d.title AS title, c.text AS text, c.headings AS headings, c.heading_starts AS heading_starts
