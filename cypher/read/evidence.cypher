// The nodes of references, and the next step down to the text
//no scope: // params: corpus, documents, chunks, passages, entities, relationships, claims, communities, reports, findings, queries, limit
//in scope: // params: corpus, documents, chunks, texts, entities, relationships, claims, reports, limit
//no scope: // returns: kind graph.Kind, node {key string?, title string?, text string?, quote string?, uri string?, stale float?, start int?, end int?},
//no scope: //   chunk {key string?, text string?, start int?, end int?, document string?, uri string?}?, supports []graph.Reference{n int?, kind graph.Kind?, key string?}
//in scope: // returns: as read/evidence
//no scope: UNWIND $documents AS key
//no scope: MATCH (n:Document {key: key, corpus: $corpus}) USING INDEX SEEK n:Document(key)
//no scope: RETURN 'Document' AS kind, n {.key, .title, .uri} AS node, null AS chunk, [] AS supports
//no scope: UNION ALL
//no scope: UNWIND $chunks AS key
//no scope: MATCH (n:Chunk {key: key, corpus: $corpus}) USING INDEX SEEK n:Chunk(key)
//no scope: MATCH (n)-[:PART_OF]->(d:Document)
//no scope: RETURN 'Chunk' AS kind, n {.key, .text, title: d.title} AS node, n {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [] AS supports
//no scope: UNION ALL
//no scope: UNWIND $passages AS key
//no scope: MATCH (n:Passage {key: key, corpus: $corpus}) USING INDEX SEEK n:Passage(key)
//no scope: MATCH (c:Chunk)-[:HAS_PASSAGE]->(n)
//no scope: MATCH (c)-[:PART_OF]->(d:Document)
//no scope: RETURN 'Passage' AS kind, n {.key, .start, .end, title: d.title} AS node, c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [{key: c.key, kind: 'Chunk'}] AS supports
//in scope: UNWIND $texts AS key
//in scope: MATCH (c:Chunk {key: key, corpus: $corpus})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
//in scope: WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: RETURN 'Chunk' AS kind, c {.key, .text, title: d.title} AS node, c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [] AS supports
UNION ALL
UNWIND $entities AS key
MATCH (n:Entity {key: key, corpus: $corpus}) USING INDEX SEEK n:Entity(key)
WITH n, n {.key, title: n.name, text: n.description} AS node
WITH n, node, COLLECT {
//no scope:     MATCH (c:Chunk)-[m:MENTIONS]->(n)
//in scope:     MATCH (n)<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:     WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
    WITH c, size(m.descriptions) AS records, any(said IN m.descriptions WHERE coalesce(n.description, '') CONTAINS said) AS described
    ORDER BY described DESC, records DESC, c.key LIMIT $limit
    RETURN c
  } AS chunks
WITH node, chunks, head(chunks) AS c
OPTIONAL MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'Entity' AS kind, node, c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [x IN chunks | {key: x.key, kind: 'Chunk'}] AS supports
UNION ALL
UNWIND $relationships AS key
MATCH (n:Relationship {key: key, corpus: $corpus}) USING INDEX SEEK n:Relationship(key)
MATCH (n)-[:SOURCE]->(a:Entity)
MATCH (n)-[:TARGET]->(b:Entity)
WITH n, n {.key, title: a.name + ' — ' + b.name, text: n.description} AS node
WITH n, node, COLLECT {
//no scope:     MATCH (c:Chunk)-[m:MENTIONS]->(n)
//in scope:     MATCH (n)<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:     WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
    WITH c, size(m.descriptions) AS records, any(said IN m.descriptions WHERE coalesce(n.description, '') CONTAINS said) AS described
    ORDER BY described DESC, records DESC, c.key LIMIT $limit
    RETURN c
  } AS chunks
WITH node, chunks, head(chunks) AS c
OPTIONAL MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'Relationship' AS kind, node, c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [x IN chunks | {key: x.key, kind: 'Chunk'}] AS supports
UNION ALL
UNWIND $claims AS key
MATCH (n:Claim {key: key, corpus: $corpus}) USING INDEX SEEK n:Claim(key)
//no scope: WITH n, COLLECT { MATCH (c:Chunk)-[:STATES]->(n) RETURN c ORDER BY c.key LIMIT $limit } AS chunks
//in scope: WITH n, COLLECT {
//in scope:     MATCH (n)<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
//in scope:     WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope:     RETURN c ORDER BY c.key LIMIT $limit
//in scope:   } AS chunks
WITH n, chunks, head(chunks) AS c
MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'Claim' AS kind, n {.key, title: n.subject + CASE coalesce(n.object, '') WHEN '' THEN '' ELSE ' — ' + n.object END, text: n.description, quote: n.source_text} AS node,
  c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [x IN chunks | {key: x.key, kind: 'Chunk'}] AS supports
//no scope: UNION ALL
//no scope: UNWIND $communities AS key
//no scope: MATCH (k:Corpus {key: $corpus})
//no scope: WITH key, coalesce(k.generation, 0) AS g
//no scope: MATCH (n:Community {key: key, corpus: $corpus}) USING INDEX SEEK n:Community(key)
//no scope: OPTIONAL MATCH (n)-[:HAS_REPORT]->(r:Report)
//no scope: WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
//no scope: RETURN 'Community' AS kind, n {.key, title: coalesce(r.title, n.label), text: r.summary} AS node, null AS chunk,
//no scope:   CASE WHEN r IS NULL THEN [] ELSE [{key: r.key, kind: 'Report'}] END AS supports
UNION ALL
UNWIND $reports AS key
MATCH (n:Report {key: key, corpus: $corpus}) USING INDEX SEEK n:Report(key)
RETURN 'Report' AS kind, n {.key, .title, .stale, text: n.full_content} AS node, null AS chunk,
  COLLECT {
    MATCH (n)-[x:CITES]->(t)
    WITH x.n AS number, t ORDER BY number, t.key
    RETURN {n: number, key: t.key, kind: head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']])}
  } AS supports
//no scope: UNION ALL
//no scope: UNWIND $findings AS key
//no scope: MATCH (n:Finding {key: key, corpus: $corpus}) USING INDEX SEEK n:Finding(key)
//no scope: RETURN 'Finding' AS kind, n {.key, title: n.summary, text: n.explanation} AS node, null AS chunk,
//no scope:   COLLECT {
//no scope:     MATCH (n)-[x:CITES]->(t)
//no scope:     WITH x.n AS number, t ORDER BY number, t.key
//no scope:     RETURN {n: number, key: t.key, kind: head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']])}
//no scope:   } AS supports
//no scope: UNION ALL
//no scope: UNWIND $queries AS key
//no scope: MATCH (n:Query {key: key, corpus: $corpus}) USING INDEX SEEK n:Query(key)
//no scope: MATCH (c:Chunk)-[:HAS_QUERY]->(n)
//no scope: MATCH (c)-[:PART_OF]->(d:Document)
//no scope: RETURN 'Query' AS kind, n {.key, title: n.text, text: n.answer} AS node, c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [{key: c.key, kind: 'Chunk'}] AS supports
