// Mentions of entities, one to a row
// params: keys, descriptions
// returns NameMention: key string? > Entity, chunk string?, names []string?, types []string?, same []string?, document string?, language string?, descriptions []string?
UNWIND $keys AS key
MATCH (e:Entity {key: key})<-[m:MENTIONS]-(c:Chunk) USING INDEX SEEK e:Entity(key)
MATCH (c)-[:PART_OF]->(d:Document)
RETURN e.key AS key, c.key AS chunk, m.names AS names, m.types AS types, m.same AS same, d.key AS document, d.language AS language,
  CASE WHEN $descriptions THEN m.descriptions END AS descriptions
