// Communities: the largest of a level
// params: corpus, level, limit
// about: The largest communities of a level, with the titles and ratings of their reports.
// param: level whole 0: use communities of level N; 0 is the root level
// param: limit whole 25: maximum number of rows
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.level = $level
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
WITH c, g ORDER BY c.size DESC, c.ordinal LIMIT $limit
OPTIONAL MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
RETURN c.label AS community, c.size AS entities, c.weight AS weight, r.rating AS rating, r.title AS report,
  COUNT { (c)<-[p:PARENT_COMMUNITY]-() WHERE p.since <= g AND coalesce(p.until, 9007199254740992) > g } AS parts
ORDER BY entities DESC, c.ordinal
