// Checks: labels against communities
// params: corpus, check, after, limit
// about: Entities whose labels, or whose properties communities and community, differ from the communities that they are in.
// param: check whole 5000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: labels and communities agree
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (e:Entity)
WHERE e.key > $corpus + '/' + $after AND e.key < $corpus + '0' AND e.corpus = $corpus
WITH e, g ORDER BY e.key LIMIT $check
CALL (e, g) {
  OPTIONAL MATCH (e)-[m:IN_COMMUNITY]->(c:Community)
  WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g
  WITH c ORDER BY c.level
  RETURN collect(c.label) AS belongs, collect(c.ordinal) AS ordinals
}
WITH e, belongs, ordinals, coalesce(e.labels_set, []) AS labelled
WHERE coalesce(e.communities, []) <> ordinals OR coalesce(e.community, '') <> coalesce(belongs[0], '')
  OR any(label IN labelled WHERE NOT label IN belongs OR NOT label IN labels(e))
  OR any(label IN labels(e) WHERE label =~ 'C[0-9]+_[0-9]+' AND NOT label IN labelled)
RETURN substring(e.key, size($corpus) + 1) AS id, e.name AS entity, belongs AS in_communities, labelled, labels(e) AS labels, e.communities AS communities
LIMIT $limit
