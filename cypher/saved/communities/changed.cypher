// Communities: changes of the latest generation
// params: corpus, limit
// about: Communities and reports that are new in the visible generation, largest first.
// param: limit whole 50: maximum number of rows
// empty: the latest generation changed nothing
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since = g
RETURN c.label AS community, c.size AS entities, CASE c.since WHEN g THEN 'new' ELSE 'has a new report' END AS change, r.title AS report
ORDER BY entities DESC, community
LIMIT $limit
