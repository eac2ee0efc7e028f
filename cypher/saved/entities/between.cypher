// Entities: paths between two entities
// params: corpus, entity, other, limit
// about: The shortest paths from one entity to another, of at most six relationships.
// param: entity text read/default_entity: use the entity with this NAME
// param: other text read/default_other: use the entity with this NAME as the other one
// param: limit whole 10: maximum number of paths
// draws
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
WITH e LIMIT 1
MATCH (o:Entity) USING INDEX SEEK o:Entity(key)
WHERE o.key IN [$other, $corpus + '/' + toLower(trim($other))] AND o.corpus = $corpus AND o <> e
MATCH p = allShortestPaths((e)-[:RELATED*..6]-(o))
RETURN p
LIMIT $limit
