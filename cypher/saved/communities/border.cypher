// Communities: the border of a community, as a picture
// params: corpus, label, limit
// about: The strongest edges that lead out of a community, with both ends.
// param: label text read/default_label: use the community with this LABEL, such as C0_3
// param: limit whole 60: maximum number of edges
// draws
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)<-[m:IN_COMMUNITY]-(e:Entity)-[r:RELATED]-(x:Entity)
WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g AND coalesce(x.communities[c.level], -1) <> c.ordinal
RETURN e, r, x
ORDER BY r.weight DESC, r.key
LIMIT $limit
