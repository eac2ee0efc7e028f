// Chunks that mention each of some entities, evenly spread from the first to the last by date, document and place
// params: corpus, keys, limit
// returns: entity string?, chunk ChunkRow{chunk}, document {document} > Chunk
UNWIND $keys AS key
MATCH (e:Entity {key: key, corpus: $corpus})<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK e:Entity(key)
WITH key, c, d ORDER BY key, d.date, d.uri, c.index
WITH key, collect(c) AS chunks
UNWIND range(0, CASE WHEN size(chunks) < $limit THEN size(chunks) ELSE $limit END - 1) AS i
WITH key, i, chunks[CASE WHEN size(chunks) <= $limit OR $limit = 1 THEN i ELSE toInteger(round(1.0 * i * (size(chunks) - 1) / ($limit - 1))) END] AS c
MATCH (c)-[:PART_OF]->(d:Document)
RETURN key AS entity, c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d {.key, .uri, .title, .date} AS document
ORDER BY entity, i
