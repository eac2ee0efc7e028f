// Entities: the neighbours of an entity
// params: corpus, entity, limit
// about: The entities that an entity is related to, strongest first, with the description of the relationship.
// param: entity text read/default_entity: use the entity with this NAME
// param: limit whole 30: maximum number of rows
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH (e)-[r:RELATED]-(x:Entity)
WITH r, x ORDER BY r.weight DESC, x.key LIMIT $limit
RETURN x.name AS neighbour, x.type AS type, r.weight AS weight, x.community AS community, r.description AS description
