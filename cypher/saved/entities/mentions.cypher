// Entities: where an entity is mentioned
// params: corpus, entity, limit
// about: The chunks that mention an entity, with the spellings and descriptions in each.
// param: entity text read/default_entity: use the entity with this NAME
// param: limit whole 25: maximum number of rows
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH (c:Chunk)-[m:MENTIONS]->(e)
WITH c, m ORDER BY size(m.descriptions) DESC, c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN d.title AS document, c.index AS chunk, m.names AS names, m.types AS types, [x IN m.descriptions WHERE x <> ''] AS says
ORDER BY size(m.descriptions) DESC, c.key
