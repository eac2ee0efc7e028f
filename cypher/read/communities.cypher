// Communities that are valid in a generation, in key order
// params: corpus, after, end, generation, limit
// returns graph.Community: community {community}, parent string?
MATCH (k:Community)
WHERE k.key > $after AND k.key < $end AND k.corpus = $corpus
  AND k.since <= $generation AND coalesce(k.until, 9007199254740992) > $generation
WITH k ORDER BY k.key LIMIT $limit
RETURN k {.key, .level, .ordinal, .label, .weight, final: NOT EXISTS {
  MATCH (k)<-[p:PARENT_COMMUNITY]-()
  WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
}} AS community, head(COLLECT {
  MATCH (k)-[p:PARENT_COMMUNITY]->(parent)
  WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
  RETURN parent.key
}) AS parent
ORDER BY k.key
