// Relationships with the descriptions of their mentions, without mentions if they are read separately
// params: keys, separate
// returns RelationshipDescribe: key string?, keywords []string?, describe_fp string?, source {key string? > Source, name string? > SourceName}?, target {key string? > Target, name string? > TargetName}?, mentions []{descriptions []string?}
UNWIND $keys AS key
MATCH (r:Relationship {key: key}) USING INDEX SEEK r:Relationship(key)
RETURN r.key AS key, r.keywords AS keywords, r.describe_fp AS describe_fp,
  head(COLLECT { MATCH (r)-[:SOURCE]->(s) RETURN s {.key, .name} }) AS source,
  head(COLLECT { MATCH (r)-[:TARGET]->(t) RETURN t {.key, .name} }) AS target,
  COLLECT { MATCH (r)<-[m:MENTIONS]-() WHERE NOT $separate RETURN m {.descriptions} } AS mentions
