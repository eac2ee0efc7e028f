// Communities: what the newest generation changed
// params: corpus, limit
// about: The communities and reports that came with the generation that readers see now, largest first.
// param: limit whole 50: rows at most
// empty: the newest generation changed nothing
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since = g
RETURN c.label AS community, c.size AS entities, CASE c.since WHEN g THEN 'new' ELSE 'has a new report' END AS change, r.title AS report
ORDER BY entities DESC, community
LIMIT $limit
