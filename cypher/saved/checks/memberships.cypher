// Checks: communities against their members
// params: corpus, check, after, limit
// about: Visible communities whose size is not the number of their members, or that do not have exactly one parent below the root level.
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: sizes and members agree
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' + $after AND c.key < $corpus + '0' AND c.corpus = $corpus
WITH c, g ORDER BY c.key LIMIT $check
WITH c, g WHERE c.since <= g AND coalesce(c.until, 9007199254740992) > g
WITH c, COUNT { (c)<-[m:IN_COMMUNITY]-(:Entity) WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g } AS members,
  COUNT { (c)-[p:PARENT_COMMUNITY]->(:Community) WHERE p.since <= g AND coalesce(p.until, 9007199254740992) > g } AS parents
WHERE c.size <> members OR parents <> CASE WHEN c.level > 0 THEN 1 ELSE 0 END
RETURN substring(c.key, size($corpus) + 1) AS id, c.label AS community, c.level AS level, c.size AS size, members, parents
LIMIT $limit
