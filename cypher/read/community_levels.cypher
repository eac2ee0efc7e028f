// Visible communities and their members by level
// params: corpus
// returns LevelCount: level int?, count int, entities int
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
RETURN c.level AS level, count(c) AS count, sum(c.size) AS entities
ORDER BY level
