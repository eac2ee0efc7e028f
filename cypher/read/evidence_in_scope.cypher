// The nodes of references in a scope, and the next step down to the text
// params: corpus, documents, chunks, texts, entities, relationships, claims, reports, limit
// returns: as read/evidence
UNWIND $texts AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
RETURN 'Chunk' AS kind, c {.key, .text, title: d.title} AS node, c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [] AS supports
UNION ALL
UNWIND $entities AS key
MATCH (n:Entity {key: key, corpus: $corpus}) USING INDEX SEEK n:Entity(key)
WITH n, n {.key, title: n.name, text: n.description} AS node
WITH n, node, COLLECT {
    MATCH (n)<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
    WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
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
    MATCH (n)<-[m:MENTIONS]-(c:Chunk)-[:PART_OF]->(d:Document)
    WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
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
WITH n, COLLECT {
    MATCH (n)<-[:STATES]-(c:Chunk)-[:PART_OF]->(d:Document)
    WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
    RETURN c ORDER BY c.key LIMIT $limit
  } AS chunks
WITH n, chunks, head(chunks) AS c
MATCH (c)-[:PART_OF]->(d:Document)
RETURN 'Claim' AS kind, n {.key, title: n.subject + CASE coalesce(n.object, '') WHEN '' THEN '' ELSE ' — ' + n.object END, text: n.description, quote: n.source_text} AS node,
  c {.key, .text, .start, .end, document: d.key, uri: d.uri} AS chunk, [x IN chunks | {key: x.key, kind: 'Chunk'}] AS supports
UNION ALL
UNWIND $reports AS key
MATCH (n:Report {key: key, corpus: $corpus}) USING INDEX SEEK n:Report(key)
RETURN 'Report' AS kind, n {.key, .title, .stale, text: n.full_content} AS node, null AS chunk,
  COLLECT {
    MATCH (n)-[x:CITES]->(t)
    WITH x.n AS number, t ORDER BY number, t.key
    RETURN {n: number, key: t.key, kind: head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']])}
  } AS supports
