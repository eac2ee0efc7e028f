// Entities with their evidence, without mentions if they are read separately
// params: keys, separate
// returns EntityEvidence: key string?, derive_fp string?, name string?, type string?, degree int, mentions []EntityMentionProps{entity_mention}
UNWIND $keys AS key
MATCH (e:Entity {key: key}) USING INDEX SEEK e:Entity(key)
RETURN e.key AS key, e.derive_fp AS derive_fp, e.name AS name, e.type AS type, COUNT { (e)-[:RELATED]-() } AS degree,
  COLLECT { MATCH (e)<-[m:MENTIONS]-() WHERE NOT $separate RETURN m {.names, .types, .descriptions, .absent} } AS mentions
