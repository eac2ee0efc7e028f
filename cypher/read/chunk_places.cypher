// Where chunks are in the files of their documents
// params: corpus, keys
UNWIND $keys AS key
MATCH (c:Chunk {key: key, corpus: $corpus}) USING INDEX SEEK c:Chunk(key)
MATCH (c)-[:PART_OF]->(d:Document)
RETURN c {.key, .text, .start, .line, .file_start, .file_end, .pages, .page_starts, .headings, .heading_starts} AS chunk, d.row AS row, d.line AS line
