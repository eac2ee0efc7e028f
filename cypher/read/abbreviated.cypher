// Entities one of whose names is spelled like one of these
// params: names
// returns AbbreviatedEntity: key string?, name string?, aliases []string?, same []string?
// scan: display names have no index; only the corpus' own entities are read
MATCH (n:Entity___corpus__)
WHERE n.name IN $names OR any(a IN n.aliases WHERE a IN $names)
RETURN n.key AS key, n.name AS name, n.aliases AS aliases,
  COLLECT { MATCH (n)<-[m:MENTIONS]-() UNWIND coalesce(m.same, []) AS s RETURN s } AS same
ORDER BY key
