// Where chunks are in the files of their documents
// params: corpus, keys
// returns: chunk PlacedChunk{key string?, text string?, start int?, line int?, file_start int?, file_end int?, pages []int?, page_starts []int?, headings []string?, heading_starts []int?}, row int?, line int?
UNWIND $keys AS key
MATCH (c:Chunk {key: key, corpus: $corpus}) USING INDEX SEEK c:Chunk(key)
MATCH (c)-[:PART_OF]->(d:Document)
RETURN c {.key, .text, .start, .line, .file_start, .file_end, .pages, .page_starts, .headings, .heading_starts} AS chunk, d.row AS row, d.line AS line
