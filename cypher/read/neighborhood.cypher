// The neighborhood of entities: relationships, claims, visible reports and chunks; and nodes given by key
// params: corpus, entities, relationships, retrieved, claims, chunks, max_neighbours, max_relationships, max_claims, max_reports, level, max_chunks, weights, similar, question_terms
// returns neighborhoodRow: kind string, node properties, a properties?, b properties?, findings []graph.Finding{finding}, references citations, score float
CALL () {
  UNWIND $entities AS found
  RETURN found
  UNION
  UNWIND $retrieved AS key
  MATCH (r:Relationship {key: key, corpus: $corpus})-[:SOURCE|TARGET]->(e:Entity) USING INDEX SEEK r:Relationship(key)
  RETURN e.key AS found
}
MATCH (e:Entity {key: found, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
RETURN 'Entity' AS kind, e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS node,
  null AS a, null AS b, [] AS findings, [] AS references, 0.0 AS score
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
WHERE NOT o.key IN seeds
WITH o, count(DISTINCT e) AS touched, sum(x.weight) AS weight
ORDER BY touched DESC, weight DESC, o.key
LIMIT $max_neighbours
RETURN 'Neighbour' AS kind, o {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS node,
  null AS a, null AS b, [] AS findings, [] AS references, touched + weight / (1.0 + weight) AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
    MATCH (e)-[x:RELATED]-(o:Entity)
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
MATCH (r:Relationship {key: found, corpus: $corpus}) USING INDEX SEEK r:Relationship(key)
MATCH (r)-[:SOURCE]->(a:Entity)
MATCH (r)-[:TARGET]->(b:Entity)
RETURN 'Relationship' AS kind, r {.key, .description, .weight, .n_tokens} AS node,
  a {.key, .name, .degree} AS a, b {.key, .name, .degree} AS b, [] AS findings, [] AS references, 0.0 AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
    MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim)
    WITH DISTINCT c, split(coalesce(c.terms, ''), ' ') AS said
    ORDER BY size([t IN $question_terms WHERE t IN said]) DESC, c.key
    LIMIT $max_claims
    RETURN c.key AS found
  }
  RETURN found
  UNION
  UNWIND $claims AS found
  RETURN found
}
MATCH (c:Claim {key: found, corpus: $corpus}) USING INDEX SEEK c:Claim(key)
CALL (c) {
  MATCH (chunk:Chunk)-[:STATES]->(c)
  RETURN chunk ORDER BY chunk.key LIMIT 1
}
RETURN 'Claim' AS kind, c {.key, .subject, .object, .type, .status, .description, .start_date, .end_date, .source_text, .n_tokens, chunk: chunk.key} AS node,
  null AS a, null AS b, [] AS findings, [] AS references, 0.0 AS score
UNION ALL
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
UNWIND $entities AS key
MATCH (e:Entity {key: key, corpus: $corpus})-[i:IN_COMMUNITY]->(c:Community)-[:HAS_REPORT]->(r:Report) USING INDEX SEEK e:Entity(key)
WHERE c.level <= $level
  AND i.since <= g AND coalesce(i.until, 9007199254740992) > g
  AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
WITH g, c, r, count(DISTINCT e) AS members
ORDER BY members DESC, r.level DESC, r.rating DESC, r.key
LIMIT $max_reports
RETURN 'Report' AS kind, r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .n_tokens} AS node,
  c {.key, .level, .ordinal, .label, ancestors: COLLECT {
    MATCH (c)-[up:PARENT_COMMUNITY*1..32]->(p:Community)
    WHERE all(x IN up WHERE x.since <= g AND coalesce(x.until, 9007199254740992) > g)
    WITH p ORDER BY p.level DESC
    RETURN p.key
  }} AS a, null AS b,
  COLLECT {
    MATCH (r)-[:HAS_FINDING]->(f:Finding)
    WITH f ORDER BY f.order
    RETURN f {.summary, .explanation}
  } AS findings,
  COLLECT {
    MATCH (r)-[x:CITES]->(t)
    RETURN [x.n, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]), t.key]
  } AS references,
  toFloat(members) AS score
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
WITH c, count(*) AS shared, round(sum(weight), 6) + coalesce($similar[c.key], 0.0) AS score
ORDER BY score DESC, shared DESC, c.key
LIMIT $max_chunks
MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'Mentioned' AS kind, c {.key, .text, .index, .n_tokens, .start, .end} AS node,
  d {.key, .uri, .title, .date} AS a, null AS b, [] AS findings, [] AS references, score
UNION ALL
UNWIND $chunks AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
RETURN 'Chunk' AS kind, c {.key, .text, .index, .n_tokens, .start, .end} AS node,
  d {.key, .uri, .title, .date} AS a, null AS b, [] AS findings, [] AS references, 0.0 AS score
