// The neighborhood of entities in a scope: relationships, claims and chunks, with what the scope says of them; and nodes given by key
// params: corpus, entities, relationships, retrieved, claims, found_chunks, max_neighbours, max_relationships, max_claims, max_chunks, weights, similar, question_terms, max_mentions, documents, chunks
// returns neighborhoodRow: kind string, node properties, a properties?, b properties?, said []string, score float
CALL () {
  UNWIND $entities AS found
  RETURN found
  UNION
  UNWIND $retrieved AS key
  MATCH (r:Relationship {key: key, corpus: $corpus})-[:SOURCE|TARGET]->(e:Entity) USING INDEX SEEK r:Relationship(key)
  RETURN e.key AS found
}
MATCH (e:Entity {key: found, corpus: $corpus})<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK e:Entity(key)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH e, c, m ORDER BY c.key
WITH e, count(c) AS frequency, reduce(all = [], list IN collect(m.descriptions)[..$max_mentions] | all + list) AS said
RETURN 'Entity' AS kind, e {.key, .name, .type, .degree, frequency: frequency} AS node,
  null AS a, null AS b, said, 0.0 AS score
UNION ALL
CALL () {
  UNWIND CASE $max_neighbours WHEN 0 THEN [] ELSE $entities END AS found
  RETURN found
  UNION
  UNWIND CASE $max_neighbours WHEN 0 THEN [] ELSE $retrieved END AS key
  MATCH (r:Relationship {key: key, corpus: $corpus})-[:SOURCE|TARGET]->(e:Entity) USING INDEX SEEK r:Relationship(key)
  RETURN e.key AS found
}
WITH collect(found) AS seeds
UNWIND seeds AS key
MATCH (e:Entity {key: key, corpus: $corpus})-[x:RELATED]-(o:Entity) USING INDEX SEEK e:Entity(key)
WHERE NOT o.key IN seeds AND EXISTS {
  MATCH (r:Relationship {key: x.key})<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK r:Relationship(key)
  WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
}
WITH o, count(DISTINCT e) AS touched, sum(x.weight) AS weight
ORDER BY touched DESC, weight DESC, o.key
LIMIT $max_neighbours
MATCH (o)<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH o, touched, weight, c, m ORDER BY c.key
WITH o, touched, weight, count(c) AS frequency, reduce(all = [], list IN collect(m.descriptions)[..$max_mentions] | all + list) AS said
RETURN 'Neighbour' AS kind, o {.key, .name, .type, .degree, frequency: frequency} AS node,
  null AS a, null AS b, said, touched + weight / (1.0 + weight) AS score
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
  a {.key, .name, .degree} AS a, b {.key, .name, .degree} AS b, said, 0.0 AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
    MATCH (e)<-[:SUBJECT|OBJECT]-(claim:Claim)<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
    WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
    WITH DISTINCT claim, split(coalesce(claim.terms, ''), ' ') AS stated
    ORDER BY size([t IN $question_terms WHERE t IN stated]) DESC, claim.key
    LIMIT $max_claims
    RETURN claim.key AS found
  }
  RETURN found
  UNION
  UNWIND $claims AS found
  RETURN found
}
MATCH (claim:Claim {key: found, corpus: $corpus}) USING INDEX SEEK claim:Claim(key)
CALL (claim) {
  MATCH (claim)<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
  WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
  RETURN c ORDER BY c.key LIMIT 1
}
RETURN 'Claim' AS kind, claim {.key, .subject, .object, .type, .status, .description, .start_date, .end_date, .source_text, .n_tokens, chunk: c.key} AS node,
  null AS a, null AS b, [] AS said, 0.0 AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus})<-[:MENTIONS]-(c:Chunk) USING INDEX SEEK e:Entity(key)
  RETURN c, coalesce($weights[key], 1.0) / (1 + log(1 + e.frequency)) AS weight
  UNION ALL
  UNWIND $retrieved AS key
  MATCH (r:Relationship {key: key, corpus: $corpus})<-[:MENTIONS]-(c:Chunk) USING INDEX SEEK r:Relationship(key)
  RETURN c, coalesce($weights[key], 1.0) / (1 + log(1 + r.weight)) AS weight
}
MATCH (c)-[:PART_OF]->(d:Document)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH c, d, count(*) AS shared, round(sum(weight), 6) + coalesce($similar[c.key], 0.0) AS score
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
