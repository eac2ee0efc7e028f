// The terms of passages, the header terms and beginnings of documents, and the texts of chunks
// params: corpus, passages, documents, chunks
// returns: kind string, key string?, terms string?, lead string?
UNWIND $passages AS key
MATCH (p:Passage {key: key, corpus: $corpus}) USING INDEX SEEK p:Passage(key)
RETURN 'Passage' AS kind, p.key AS key, p.terms AS terms, null AS lead
UNION ALL
UNWIND $documents AS key
MATCH (d:Document {key: key, corpus: $corpus}) USING INDEX SEEK d:Document(key)
RETURN 'Document' AS kind, d.key AS key, left(d.terms, 1200) AS terms, d.lead AS lead
UNION ALL
UNWIND $chunks AS key
MATCH (c:Chunk {key: key, corpus: $corpus}) USING INDEX SEEK c:Chunk(key)
RETURN 'Chunk' AS kind, c.key AS key, c.text AS terms, null AS lead
