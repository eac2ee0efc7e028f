// Communities: the members of a community
// params: corpus, label, limit
// about: The members of a community with the edges between them. With the style sheet of a level, the colours show its subcommunities.
// param: label text read/default_label: use the community with this LABEL, such as C0_3
// param: limit whole 100: maximum number of members, most connected first
// draws
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)<-[:IN_COMMUNITY]-(e:Entity)
WITH e ORDER BY e.degree DESC, e.key LIMIT $limit
WITH collect(e) AS members
UNWIND members AS e
OPTIONAL MATCH (e)-[r:RELATED]->(x:Entity)
WHERE x IN members
RETURN e, r, x
