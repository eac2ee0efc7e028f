// The neighborhood of entities: relationships, claims, visible reports and chunks; and nodes given by key
// params: corpus, entities, relationships, claims, chunks, max_relationships, max_claims, max_reports, level, max_chunks
UNWIND $entities AS key
MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
RETURN 'Entity' AS kind, e {.key, .name, .type, .description, .degree, .frequency, .n_tokens} AS node,
  null AS a, null AS b, [] AS findings, [] AS references, 0.0 AS score
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
  a {.key, .name} AS a, b {.key, .name} AS b, [] AS findings, [] AS references, 0.0 AS score
UNION ALL
CALL () {
  UNWIND $entities AS key
  MATCH (e:Entity {key: key, corpus: $corpus}) USING INDEX SEEK e:Entity(key)
  CALL (e) {
    MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim)
    WITH DISTINCT c
    ORDER BY c.key
    LIMIT $max_claims
    RETURN c.key AS found
  }
  RETURN found
  UNION
  UNWIND $claims AS found
  RETURN found
}
MATCH (chunk:Chunk)-[:STATES]->(c:Claim {key: found, corpus: $corpus}) USING INDEX SEEK c:Claim(key)
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
WITH c, r, count(DISTINCT e) AS members
ORDER BY members DESC, r.level DESC, r.rating DESC, r.key
LIMIT $max_reports
RETURN 'Report' AS kind, r {.key, .level, .final, .size, .weight, .title, .summary, .full_content, .rating, .n_tokens} AS node,
  c {.key, .level, .ordinal, .label} AS a, null AS b,
  COLLECT {
    MATCH (r)-[:HAS_FINDING]->(f:Finding)
    WITH f ORDER BY f.order
    RETURN f {.summary, .explanation}
  } AS findings,
  COLLECT {
    MATCH (r)-[x:CITES]->(t)
    WITH x.n AS n, t ORDER BY n, t.key
    RETURN {n: n, key: t.key, kind: head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']])}
  } AS references,
  toFloat(members) AS score
UNION ALL
UNWIND $entities AS key
MATCH (e:Entity {key: key, corpus: $corpus})<-[m:MENTIONS]-(c:Chunk) USING INDEX SEEK e:Entity(key)
WITH c, count(m) AS shared, round(sum(1 / (1 + log(1 + e.frequency))), 6) AS score
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
