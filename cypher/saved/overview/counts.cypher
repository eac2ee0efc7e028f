// Overview: the contents of the corpus
// params: corpus
// about: The number of nodes of each kind. Only communities and reports of the visible generation are counted.
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
WITH [
  ['documents', COUNT { MATCH (:Document___corpus__) }],
  ['chunks', COUNT { MATCH (:Chunk___corpus__) }],
  ['passages', COUNT { MATCH (:Passage___corpus__) }],
  ['entities', COUNT { MATCH (:Entity___corpus__) }],
  ['relationships', COUNT { MATCH (:Relationship___corpus__) }],
  ['claims', COUNT { MATCH (:Claim___corpus__) }],
  ['communities', COUNT {
    MATCH (c:Community)
    WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
  }],
  ['reports', COUNT {
    MATCH (r:Report)
    WHERE r.key > $corpus + '/' AND r.key < $corpus + '0' AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
  }],
  ['findings', COUNT {
    MATCH (r:Report)-[:HAS_FINDING]->(:Finding)
    WHERE r.key > $corpus + '/' AND r.key < $corpus + '0' AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
  }],
  ['runs', COUNT { MATCH (r:Run) WHERE r.key > $corpus + '/' AND r.key < $corpus + '0' }]
] AS counts
UNWIND counts AS line
RETURN line[0] AS kind, line[1] AS nodes
