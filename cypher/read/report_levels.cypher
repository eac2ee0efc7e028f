// Visible reports and the entities they cover by level
// params: corpus
// returns LevelCount: level int?, count int, entities int, stale int
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
MATCH (r:Report)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
  AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
RETURN r.level AS level, count(r) AS count, sum(r.size) AS entities, count(r.stale) AS stale
ORDER BY level
