// Communities: a community with its subcommunities and their members
// params: corpus, label, members, limit
// about: A community, its subcommunities and the most connected members of each; or its own members if it has no subcommunities.
// param: label text read/default_label: use the community with this LABEL, such as C0_3
// param: members whole 10: show at most N members of each community
// param: limit whole 200: maximum number of members
// draws
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
OPTIONAL MATCH (c)<-[p:PARENT_COMMUNITY]-(d:Community)
WHERE p.since <= g AND coalesce(p.until, 9007199254740992) > g
WITH c, p, d, g, coalesce(d, c) AS part
CALL (part, g) {
  MATCH (part)<-[m:IN_COMMUNITY]-(e:Entity)
  WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g
  RETURN m, e ORDER BY e.degree DESC, e.key LIMIT $members
}
RETURN c, p, d, m, e
LIMIT $limit
