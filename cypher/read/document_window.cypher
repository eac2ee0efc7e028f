// A document with its chunks that have bytes of a range, which is in the file where a chunk is a part of it
// params: corpus, document, start, end
// returns: document DocumentLine{key string?, uri string?, title string?, date string?, language string?, mime string?, n_tokens int?, meta_author string? > Author}, sha256 string?, row int?, line int?, length int?, chunks []PlacedChunk{key string?, text string?, start int?, line int?, file_start int?, file_end int?, pages []int?, page_starts []int?, headings []string?, heading_starts []int?}
MATCH (d:Document {key: $document, corpus: $corpus}) USING INDEX SEEK d:Document(key)
CALL (d) {
  MATCH (d)<-[:PART_OF]-(all:Chunk)
  RETURN max(CASE WHEN all.file_end > 0 THEN all.file_end ELSE all.end END) AS length
}
OPTIONAL MATCH (d)<-[:PART_OF]-(c:Chunk)
WHERE CASE WHEN c.file_end > 0 THEN c.file_end > $start AND c.file_start < $end ELSE c.end > $start AND c.start < $end END
WITH d, length, c ORDER BY c.start
RETURN d {.key, .uri, .title, .date, .language, .mime, .n_tokens, .meta_author} AS document, d.sha256 AS sha256, d.row AS row, d.line AS line, length,
  collect(c {.key, .text, .start, .line, .file_start, .file_end, .pages, .page_starts, .headings, .heading_starts}) AS chunks
