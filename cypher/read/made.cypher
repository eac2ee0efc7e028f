// Whether stages made results that are up to date
// params:
// returns Made: extracted bool, described bool, embedded bool, reported bool, model_reported bool, pairs bool, sentences bool
// scan: stops at the first result; only a run that would be refused asks
RETURN
  EXISTS { MATCH (c:Chunk___corpus__) WHERE c.extract_fp IS NOT NULL AND c.todo_extract IS NULL } AS extracted,
  EXISTS { MATCH (e:Entity___corpus__) WHERE e.describe_fp IS NOT NULL AND e.todo_describe IS NULL }
    OR EXISTS { MATCH (r:Relationship___corpus__) WHERE r.describe_fp IS NOT NULL AND r.todo_describe IS NULL } AS described,
  EXISTS { MATCH (c:Chunk___corpus__) WHERE c.embed_fp IS NOT NULL AND c.todo_embed IS NULL }
    OR EXISTS { MATCH (e:Entity___corpus__) WHERE e.embed_fp IS NOT NULL AND e.todo_embed IS NULL }
    OR EXISTS { MATCH (r:Relationship___corpus__) WHERE r.embed_fp IS NOT NULL AND r.todo_embed IS NULL }
    OR EXISTS { MATCH (r:Report___corpus__) WHERE r.embed_fp IS NOT NULL AND r.todo_embed IS NULL }
    OR EXISTS { MATCH (s:Sentence___corpus__) WHERE s.embed_fp IS NOT NULL AND s.todo_embed IS NULL }
    OR EXISTS { MATCH (:Query___corpus__) } AS embedded,
  EXISTS { MATCH (r:Report___corpus__)<-[:HAS_REPORT]-(k) WHERE r.until IS NULL AND k.todo_report IS NULL } AS reported,
  EXISTS { MATCH (r:Report___corpus__)<-[:HAS_REPORT]-(k) WHERE r.until IS NULL AND k.todo_report IS NULL AND coalesce(r.model, '') <> 'extractive' } AS model_reported,
  EXISTS { MATCH (:Query___corpus__) } AS pairs,
  EXISTS { MATCH (s:Sentence___corpus__) WHERE s.embed_fp IS NOT NULL } AS sentences
