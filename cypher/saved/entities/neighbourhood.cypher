// Entities: the neighbourhood of an entity
// params: corpus, entity, limit
// about: An entity with its strongest neighbours. Browser also draws the edges between the neighbours.
// param: entity text read/default_entity: use the entity with this NAME
// param: limit whole 30: maximum number of neighbours
// draws
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH p = (e)-[r:RELATED]-(x:Entity)
RETURN p
ORDER BY r.weight DESC, x.key
LIMIT $limit
