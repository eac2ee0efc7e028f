// Relationships with their evidence, without mentions if they are read separately
// params: keys, separate
// returns RelationshipEvidence: key string?, derive_fp string?, source string?, target string?, mentions []RelationshipMentionProps{relationship_mention}
UNWIND $keys AS key
MATCH (r:Relationship {key: key}) USING INDEX SEEK r:Relationship(key)
RETURN r.key AS key, r.derive_fp AS derive_fp,
  head(COLLECT { MATCH (r)-[:SOURCE]->(s) RETURN s.key }) AS source,
  head(COLLECT { MATCH (r)-[:TARGET]->(t) RETURN t.key }) AS target,
  COLLECT { MATCH (r)<-[m:MENTIONS]-() WHERE NOT $separate RETURN m {.descriptions, .keywords, .strength, .count, .forward} } AS mentions
