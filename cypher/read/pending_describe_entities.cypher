// Entities with the descriptions of their mentions, without mentions if they are read separately
// params: keys, separate
// returns EntityDescribe: key string?, name string?, type string?, describe_fp string?, aliases []string?, mentions []{descriptions []string?}
UNWIND $keys AS key
MATCH (e:Entity {key: key}) USING INDEX SEEK e:Entity(key)
RETURN e.key AS key, e.name AS name, e.type AS type, e.describe_fp AS describe_fp, e.aliases AS aliases,
  COLLECT { MATCH (e)<-[m:MENTIONS]-() WHERE NOT $separate RETURN m {.descriptions} } AS mentions
