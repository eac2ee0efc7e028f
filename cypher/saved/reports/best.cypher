// Reports: the best rated of a level
// params: corpus, level, limit
// about: The reports of a level, best rated first.
// param: level whole 0: use communities of level N; 0 is the root level
// param: limit whole 25: maximum number of rows
// scan: reports have no index by rating; only the corpus' own reports are read
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (r:Report___corpus__)
WHERE r.level = $level AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
WITH r ORDER BY r.rating DESC, r.size DESC, r.key LIMIT $limit
MATCH (c:Community)-[:HAS_REPORT]->(r)
RETURN c.label AS community, r.rating AS rating, r.size AS entities, r.title AS title, r.summary AS summary, r.model AS made_by
ORDER BY rating DESC, entities DESC, r.key
