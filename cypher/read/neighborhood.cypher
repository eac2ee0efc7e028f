// The neighborhood of entities: relationships, claims, visible reports and chunks; and nodes given by key
//no scope: // params: corpus, entities, relationships, retrieved, claims, chunks, max_neighbours, max_relationships, max_claims, max_reports, level, max_chunks, weights, similar, question_terms
//no scope: // returns neighborhoodRow: kind string, node properties, a properties?, b properties?, findings []graph.Finding{finding}, references citations, score float
//in scope: // params: corpus, entities, relationships, retrieved, claims, found_chunks, max_neighbours, max_relationships, max_claims, max_chunks, weights, similar, question_terms, max_mentions, documents, chunks
//in scope: // returns neighborhoodRow: kind string, node properties, a properties?, b properties?, said []string?, score float
CALL () {
  UNWIND $entities AS found
  RETURN found
  UNION
  UNWIND $retrieved AS key
  MATCH (r:Relationship {key: key, corpus: $corpus})-[:SOURCE|TARGET]->(e:Entity) USING INDEX SEEK r:Relationship(key)
  RETURN e.key AS found
}
//no scope: MATCH (e:Entity {key: found, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
//no scope: RETURN 'Entity' AS kind, e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS node,
//no scope:   null AS a, null AS b, [] AS findings, [] AS references, 0.0 AS score
//in scope: MATCH (e:Entity {key: found, corpus: $corpus})<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK e:Entity(key)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH e, c, m ORDER BY c.key
//in scope: WITH e, count(c) AS frequency, reduce(all = [], list IN collect(m.descriptions)[..$max_mentions] | all + list) AS said
//in scope: RETURN 'Entity' AS kind, e {.key, .name, .type, .degree, frequency: frequency} AS node,
//in scope:   null AS a, null AS b, said, 0.0 AS score
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
//no scope: WHERE NOT o.key IN seeds
//in scope: WHERE NOT o.key IN seeds AND EXISTS {
//in scope:   MATCH (r:Relationship {key: x.key})<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK r:Relationship(key)
//in scope:   WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: }
WITH o, count(DISTINCT e) AS touched, sum(x.weight) AS weight
ORDER BY touched DESC, weight DESC, o.key
LIMIT $max_neighbours
//no scope: RETURN 'Neighbour' AS kind, o {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS node,
//no scope:   null AS a, null AS b, [] AS findings, [] AS references, touched + weight / (1.0 + weight) AS score
//in scope: MATCH (o)<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH o, touched, weight, c, m ORDER BY c.key
//in scope: WITH o, touched, weight, count(c) AS frequency, reduce(all = [], list IN collect(m.descriptions)[..$max_mentions] | all + list) AS said
//in scope: RETURN 'Neighbour' AS kind, o {.key, .name, .type, .degree, frequency: frequency} AS node,
//in scope:   null AS a, null AS b, said, touched + weight / (1.0 + weight) AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
    MATCH (e)-[x:RELATED]-(o:Entity)
//in scope:     WHERE EXISTS {
//in scope:       MATCH (r:Relationship {key: x.key})<-[:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK r:Relationship(key)
//in scope:       WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope:     }
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
//no scope: MATCH (r:Relationship {key: found, corpus: $corpus}) USING INDEX SEEK r:Relationship(key)
//in scope: MATCH (r:Relationship {key: found, corpus: $corpus})<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document) USING INDEX SEEK r:Relationship(key)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH r, c, m ORDER BY c.key
//in scope: WITH r, sum(m.count) AS weight, reduce(all = [], list IN collect(m.descriptions)[..$max_mentions] | all + list) AS said
MATCH (r)-[:SOURCE]->(a:Entity)
MATCH (r)-[:TARGET]->(b:Entity)
//no scope: RETURN 'Relationship' AS kind, r {.key, .description, .weight, .n_tokens} AS node,
//no scope:   a {.key, .name, .degree} AS a, b {.key, .name, .degree} AS b, [] AS findings, [] AS references, 0.0 AS score
//in scope: RETURN 'Relationship' AS kind, r {.key, weight: weight} AS node,
//in scope:   a {.key, .name, .degree} AS a, b {.key, .name, .degree} AS b, said, 0.0 AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
//no scope:     MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim)
//no scope:     WITH DISTINCT c, split(coalesce(c.terms, ''), ' ') AS said
//no scope:     ORDER BY size([t IN $question_terms WHERE t IN said]) DESC, c.key
//in scope:     MATCH (e)<-[:SUBJECT|OBJECT]-(claim:Claim)<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:     WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope:     WITH DISTINCT claim, split(coalesce(claim.terms, ''), ' ') AS stated
//in scope:     ORDER BY size([t IN $question_terms WHERE t IN stated]) DESC, claim.key
    LIMIT $max_claims
//no scope:     RETURN c.key AS found
//in scope:     RETURN claim.key AS found
  }
  RETURN found
  UNION
  UNWIND $claims AS found
  RETURN found
}
//no scope: MATCH (c:Claim {key: found, corpus: $corpus}) USING INDEX SEEK c:Claim(key)
//no scope: CALL (c) {
//no scope:   MATCH (chunk:Chunk)-[:STATES]->(c)
//no scope:   RETURN chunk ORDER BY chunk.key LIMIT 1
//in scope: MATCH (claim:Claim {key: found, corpus: $corpus}) USING INDEX SEEK claim:Claim(key)
//in scope: CALL (claim) {
//in scope:   MATCH (claim)<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:   WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope:   RETURN c ORDER BY c.key LIMIT 1
}
//no scope: RETURN 'Claim' AS kind, c {.key, .subject, .object, .type, .status, .description, .start_date, .end_date, .source_text, .n_tokens, chunk: chunk.key} AS node,
//no scope:   null AS a, null AS b, [] AS findings, [] AS references, 0.0 AS score
//no scope: UNION ALL
//no scope: MATCH (k:Corpus {key: $corpus})
//no scope: WITH coalesce(k.generation, 0) AS g
//no scope: UNWIND $entities AS key
//no scope: MATCH (e:Entity {key: key, corpus: $corpus})-[i:IN_COMMUNITY]->(c:Community)-[:HAS_REPORT]->(r:Report) USING INDEX SEEK e:Entity(key)
//no scope: WHERE c.level <= $level
//no scope:   AND i.since <= g AND coalesce(i.until, 9007199254740992) > g
//no scope:   AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
//no scope: WITH g, c, r, count(DISTINCT e) AS members
//no scope: ORDER BY members DESC, r.level DESC, r.rating DESC, r.key
//no scope: LIMIT $max_reports
//no scope: RETURN 'Report' AS kind, r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .n_tokens} AS node,
//no scope:   c {.key, .level, .ordinal, .label, ancestors: COLLECT {
//no scope:     MATCH (c)-[up:PARENT_COMMUNITY*1..32]->(p:Community)
//no scope:     WHERE all(x IN up WHERE x.since <= g AND coalesce(x.until, 9007199254740992) > g)
//no scope:     WITH p ORDER BY p.level DESC
//no scope:     RETURN p.key
//no scope:   }} AS a, null AS b,
//no scope:   COLLECT {
//no scope:     MATCH (r)-[:HAS_FINDING]->(f:Finding)
//no scope:     WITH f ORDER BY f.order
//no scope:     RETURN f {.summary, .explanation}
//no scope:   } AS findings,
//no scope:   COLLECT {
//no scope:     MATCH (r)-[x:CITES]->(t)
//no scope:     RETURN [x.n, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), t.key]
//no scope:   } AS references,
//no scope:   toFloat(members) AS score
//in scope: RETURN 'Claim' AS kind, claim {.key, .subject, .object, .type, .status, .description, .start_date, .end_date, .source_text, .n_tokens, chunk: c.key} AS node,
//in scope:   null AS a, null AS b, [] AS said, 0.0 AS score
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
//no scope: WITH c, count(*) AS shared, round(sum(weight), 6) + coalesce($similar[c.key], 0.0) AS score
//in scope: MATCH (c)-[:PART_OF]->(d:Document)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH c, d, count(*) AS shared, round(sum(weight), 6) + coalesce($similar[c.key], 0.0) AS score
ORDER BY score DESC, shared DESC, c.key
LIMIT $max_chunks
//no scope: MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'Mentioned' AS kind, c {.key, .text, .index, .n_tokens, .start, .end} AS node,
//no scope:   d {.key, .uri, .title, .date} AS a, null AS b, [] AS findings, [] AS references, score
//in scope:   d {.key, .uri, .title, .date} AS a, null AS b, [] AS said, score
UNION ALL
//no scope: UNWIND $chunks AS key
//in scope: UNWIND $found_chunks AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
RETURN 'Chunk' AS kind, c {.key, .text, .index, .n_tokens, .start, .end} AS node,
//no scope:   d {.key, .uri, .title, .date} AS a, null AS b, [] AS findings, [] AS references, 0.0 AS score
//in scope:   d {.key, .uri, .title, .date} AS a, null AS b, [] AS said, 0.0 AS score
