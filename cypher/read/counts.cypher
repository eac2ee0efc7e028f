// Numbers of nodes of a corpus
// params: corpus
// returns Counts: documents int, chunks int, passages int, entities int, relationships int, claims int, queries int, sentences int, synonyms int, document_links int, communities int, reports int, isolated int
// scan: three counts walk the corpus' own entities or documents; no index lists those with or without an edge
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
RETURN
  COUNT { MATCH (:Document___corpus__) } AS documents,
  COUNT { MATCH (:Chunk___corpus__) } AS chunks,
  COUNT { MATCH (:Passage___corpus__) } AS passages,
  COUNT { MATCH (:Entity___corpus__) } AS entities,
  COUNT { MATCH (:Relationship___corpus__) } AS relationships,
  COUNT { MATCH (:Claim___corpus__) } AS claims,
  COUNT { MATCH (:Query___corpus__) } AS queries,
  COUNT { MATCH (:Sentence___corpus__) } AS sentences,
  COUNT { MATCH (:Entity___corpus__)-[:SYNONYM]->() } AS synonyms,
  COUNT { MATCH (:Document___corpus__)-[:SIMILAR_DOCUMENT]->() } AS document_links,
  COUNT {
    MATCH (c:Community)
    WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
      AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
  } AS communities,
  COUNT {
    MATCH (r:Report)
    WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
      AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
  } AS reports,
  COUNT { MATCH (e:Entity___corpus__) WHERE NOT EXISTS { (e)-[:RELATED]-() } } AS isolated
