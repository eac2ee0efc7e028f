// Communities: levels of the hierarchy
// params: corpus
// about: For each level, from the root: the number of communities, of their entities, and the sizes of the communities.
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
RETURN c.level AS level, count(*) AS communities, sum(c.size) AS entities, max(c.size) AS largest, round(avg(c.size), 1) AS mean,
  count(CASE WHEN NOT EXISTS {
    MATCH (c)<-[p:PARENT_COMMUNITY]-()
    WHERE p.since <= g AND coalesce(p.until, 9007199254740992) > g
  } THEN 1 END) AS without_parts
ORDER BY level
