// The documents most similar to documents, with the cosines of their vectors
// params: corpus, documents
// returns SimilarDocument: document string?, neighbour string?, cosine float?
UNWIND $documents AS key
MATCH (d:Document {key: key, corpus: $corpus})-[s:SIMILAR_DOCUMENT]->(n:Document) USING INDEX SEEK d:Document(key)
RETURN key AS document, n.key AS neighbour, s.score AS cosine
