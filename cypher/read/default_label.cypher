// The label of the largest community on the root level
// params: corpus
// returns: value
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.level = 0
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
RETURN c.label AS value
ORDER BY c.size DESC, c.ordinal
LIMIT 1
