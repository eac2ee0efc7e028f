// Relationships: evidence for a relationship
// params: corpus, entity, other, limit
// about: What each chunk says about the relationship of two entities, and in which document.
// param: entity text read/default_entity: use the entity with this NAME
// param: other text read/default_neighbour: use the entity with this NAME as the other one
// param: limit whole 25: maximum number of chunks
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
WITH e LIMIT 1
MATCH (e)-[x:RELATED]-(o:Entity)
WHERE o.key IN [$other, $corpus + '/' + toLower(trim($other))]
MATCH (r:Relationship {key: x.key}) USING INDEX SEEK r:Relationship(key)
MATCH (c:Chunk)-[m:MENTIONS]->(r)
WITH r, c, m ORDER BY m.count DESC, c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN r.name AS relationship, d.title AS document, c.index AS chunk, m.count AS times, m.keywords AS keywords, [x IN m.descriptions WHERE x <> ''] AS says
ORDER BY times DESC, c.key
