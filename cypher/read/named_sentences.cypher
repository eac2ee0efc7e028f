// The sentences that name each of some entities and are nearest to a question, apart from those used already, with all that they name
// params: corpus, entities, used, vector, limit, documents, chunks
// returns NamedSentence: entity string?, sentence string? > Key, text string?, cosine float?, entities []NamedEntity{key string?, name string?}
UNWIND $entities AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
CALL (e) {
  MATCH (e)<-[:NAMES]-(s:Sentence)<-[:HAS_SENTENCE]-(c:Chunk)
  WHERE NOT s.key IN $used AND s.embedding IS NOT NULL AND ($chunks IS NULL OR c.key IN $chunks)
    AND ($documents IS NULL OR EXISTS { (c)-[:PART_OF]->(d:Document) WHERE d.key IN $documents })
  WITH s, 2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
  ORDER BY cosine DESC, s.key LIMIT $limit
  RETURN s, cosine
}
RETURN key AS entity, s.key AS sentence, s.text AS text, cosine, COLLECT { MATCH (s)-[:NAMES]->(o) RETURN o {.key, .name} } AS entities
ORDER BY cosine DESC, sentence, entity
