// The entities other than persons that most chunks mention, each with its deepest community down to a level
// params: corpus, level, limit
// returns Theme: node {entity} > Entity, community string?
// scan: no index is ordered by the number of mentions; only the corpus' own entities are read
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
MATCH (e:Entity___corpus__)
WHERE e.type <> 'person'
WITH g, e ORDER BY e.frequency DESC, e.key LIMIT $limit
RETURN e {.key, .name, .type, .degree, .frequency, .description, .n_tokens} AS node, head(COLLECT {
  MATCH (e)-[i:IN_COMMUNITY]->(c:Community)
  WHERE c.level <= $level AND i.since <= g AND coalesce(i.until, 9007199254740992) > g
  WITH c ORDER BY c.level DESC LIMIT 1
  RETURN c.key
}) AS community
