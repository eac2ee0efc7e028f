// Communities of the entities that chunks mention, each as a path from its root down, with the number of its entities
// params: corpus, keys, generation
// returns CommunityPath: chunk string?, path []CommunityName{key string?, label string?} > Communities, entities int
UNWIND $keys AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:MENTIONS]->(e:Entity) USING INDEX SEEK c:Chunk(key)
WITH key, e, COLLECT {
  MATCH (e)-[i:IN_COMMUNITY]->(k:Community)
  WHERE i.since <= $generation AND coalesce(i.until, 9007199254740992) > $generation
  WITH k ORDER BY k.level
  RETURN {key: k.key, label: k.label}
} AS path
RETURN key AS chunk, path, count(*) AS entities
