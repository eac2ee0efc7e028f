// Communities: the hierarchy as a picture
// params: corpus, roots, limit
// about: The largest communities of the root level, with two levels of subcommunities.
// param: roots whole 5: show at most N communities of the root level
// param: limit whole 100: maximum number of subcommunities
// draws
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.level = 0
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
WITH c, g ORDER BY c.size DESC, c.ordinal LIMIT $roots
OPTIONAL MATCH p = (c)<-[:PARENT_COMMUNITY*1..2]-(d:Community)
WHERE all(x IN relationships(p) WHERE x.since <= g AND coalesce(x.until, 9007199254740992) > g)
WITH c, p, d ORDER BY d.level, d.size DESC, d.key LIMIT $limit
RETURN c, p
