// Communities: a level as a picture
// params: corpus, level, communities, members
// about: The most connected members of the largest communities of a level, with the edges between them. With the style sheet of the level, each community has its own colour.
// param: level whole 0: use communities of level N; 0 is the root level
// param: communities whole 12: show at most N communities
// param: members whole 8: show at most N members of each community
// draws
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.level = $level
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
WITH c, g ORDER BY c.size DESC, c.ordinal LIMIT $communities
CALL (c, g) {
  MATCH (c)<-[m:IN_COMMUNITY]-(e:Entity)
  WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g
  WITH e ORDER BY e.degree DESC, e.key LIMIT $members
  RETURN e
}
WITH collect(e) AS chosen
UNWIND chosen AS e
OPTIONAL MATCH (e)-[r:RELATED]->(x:Entity)
WHERE x IN chosen
RETURN e, r, x
