// The id of the third chunk of the longest document, or of its last chunk if it has fewer
// params: corpus
// returns: value
// scan: documents have no index by length; the corpus' own documents are few
MATCH (d:Document___corpus__)
WITH d ORDER BY d.n_tokens DESC, d.key LIMIT 1
MATCH (d)-[:FIRST_CHUNK]->(:Chunk)-[:NEXT_CHUNK*0..2]->(c:Chunk)
RETURN substring(c.key, size($corpus) + 1) AS value
ORDER BY c.index DESC
LIMIT 1
