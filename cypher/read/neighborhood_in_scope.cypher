// The neighborhood of entities in a scope: relationships, claims and chunks, with what the scope says of them; and nodes given by key
// params: corpus, entities, relationships, claims, found_chunks, max_relationships, max_claims, max_chunks, max_mentions, documents, chunks
UNWIND $entities AS key
MATCH (e:Entity {key: key, corpus: $corpus})<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK e:Entity(key)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH e, c, m ORDER BY c.key
WITH e, count(c) AS frequency, reduce(all = [], list IN collect(m.descriptions)[..$max_mentions] | all + list) AS said
RETURN 'Entity' AS kind, e {.key, .name, .type, .degree, frequency: frequency} AS node,
  null AS a, null AS b, said, 0.0 AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
    MATCH (e)-[x:RELATED]-(o:Entity)
    WHERE EXISTS {
      MATCH (r:Relationship {key: x.key})<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK r:Relationship(key)
      WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
    }
    WITH x, o.key IN $entities AS inside
    ORDER BY inside DESC, x.weight DESC, x.key
    LIMIT $max_relationships
    RETURN x.key AS found
  }
  RETURN found
  UNION
  UNWIND $relationships AS found
  RETURN found
}
MATCH (r:Relationship {key: found, corpus: $corpus})<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK r:Relationship(key)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH r, c, m ORDER BY c.key
WITH r, sum(m.count) AS weight, reduce(all = [], list IN collect(m.descriptions)[..$max_mentions] | all + list) AS said
MATCH (r)-[:SOURCE]->(a:Entity)
MATCH (r)-[:TARGET]->(b:Entity)
RETURN 'Relationship' AS kind, r {.key, weight: weight} AS node,
  a {.key, .name} AS a, b {.key, .name} AS b, said, 0.0 AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
    MATCH (e)<-[:SUBJECT|OBJECT]-(claim:Claim)<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
    WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
    WITH DISTINCT claim
    ORDER BY claim.key
    LIMIT $max_claims
    RETURN claim.key AS found
  }
  RETURN found
  UNION
  UNWIND $claims AS found
  RETURN found
}
MATCH (claim:Claim {key: found, corpus: $corpus})<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK claim:Claim(key)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
RETURN 'Claim' AS kind, claim {.key, .subject, .object, .type, .status, .description, .start_date, .end_date, .source_text, .n_tokens, chunk: c.key} AS node,
  null AS a, null AS b, [] AS said, 0.0 AS score
UNION ALL
UNWIND $entities AS key
MATCH (e:Entity {key: key, corpus: $corpus})<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK e:Entity(key)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH c, d, count(m) AS shared, round(sum(1 / (1 + log(1 + e.frequency))), 6) AS score
ORDER BY score DESC, shared DESC, c.key
LIMIT $max_chunks
RETURN 'Mentioned' AS kind, c {.key, .text, .index, .n_tokens, .start, .end} AS node,
  d {.key, .uri, .title, .date} AS a, null AS b, [] AS said, score
UNION ALL
UNWIND $found_chunks AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
RETURN 'Chunk' AS kind, c {.key, .text, .index, .n_tokens, .start, .end} AS node,
  d {.key, .uri, .title, .date} AS a, null AS b, [] AS said, 0.0 AS score
