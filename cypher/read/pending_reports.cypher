// Communities of a level to report, in key order
// params: corpus, generation, level, after, limit
// returns: as read/communities
MATCH (k:Community) USING INDEX SEEK k:Community(todo_report, key)
WHERE k.todo_report = $corpus AND k.key > $after AND k.level = $level
  AND k.since <= $generation AND coalesce(k.until, 9007199254740992) > $generation
WITH k ORDER BY k.todo_report, k.key LIMIT $limit
RETURN k {.key, .level, .ordinal, .label, .weight, final: NOT EXISTS {
  MATCH (k)<-[p:PARENT_COMMUNITY]-()
  WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
}} AS community, head(COLLECT {
  MATCH (k)-[p:PARENT_COMMUNITY]->(parent)
  WHERE p.since <= $generation AND coalesce(p.until, 9007199254740992) > $generation
  RETURN parent.key
}) AS parent
