// All stored communities with the validity of each and of its parents, to compare with a new hierarchy
// params: corpus, after, end, limit
// returns storedCommunity: community {key string?, level int?, ordinal int?, label string?, size int? > size, weight int?, since int64? > since, until int64? > until, next_ordinal int? > next.ordinal, next_label string? > next.label, older bool > older},
//   members int > members, parents []parentEdge{key string? > key, since int64? > since, until int64? > until} > parents
MATCH (k:Community)
WHERE k.key > $after AND k.key < $end AND k.corpus = $corpus
WITH k ORDER BY k.key LIMIT $limit
RETURN k {.key, .level, .ordinal, .label, .size, .weight, .since, .until, .next_ordinal, .next_label, older: k.final IS NOT NULL} AS community,
  COUNT { (k)<-[:IN_COMMUNITY]-() } AS members,
  COLLECT { MATCH (k)-[p:PARENT_COMMUNITY]->(parent:Community) RETURN {key: parent.key, since: p.since, until: p.until} } AS parents
ORDER BY k.key
