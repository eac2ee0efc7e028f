// Mentions of one entity or relationship, one to a row
// params: key
// returns: mention properties
// for: Entity, Relationship
MATCH (n:__Kind__ {key: $key})<-[m:MENTIONS]-()
RETURN properties(m) AS mention
