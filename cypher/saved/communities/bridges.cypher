// Communities: connections of a community to others
// params: corpus, label, limit
// about: The communities of the same level that a community is connected to: the number of edges, their weight, and the strongest of them.
// param: label text read/default_label: use the community with this LABEL, such as C0_3
// param: limit whole 25: maximum number of rows
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)<-[m:IN_COMMUNITY]-(e:Entity)-[r:RELATED]-(x:Entity)
WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g AND coalesce(x.communities[c.level], -1) <> c.ordinal
WITH c, e, r, x, x.communities[c.level] AS ordinal ORDER BY r.weight DESC, r.key
WITH c, ordinal, count(r) AS edges, sum(r.weight) AS weight, collect(e.name + ' — ' + x.name)[..3] AS strongest
RETURN coalesce(left(c.label, size(c.label) - size(toString(c.ordinal))) + ordinal, 'none on this level') AS community, edges, weight, strongest
ORDER BY weight DESC, community
LIMIT $limit
