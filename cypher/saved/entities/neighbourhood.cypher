// Entities: the neighbourhood of one
// params: corpus, entity, limit
// about: One entity with its strongest neighbours, as a picture; Browser draws the edges between the neighbours too.
// param: entity text read/default_entity: name of an entity
// param: limit whole 30: neighbours at most
// draws
MATCH (e:Entity)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH p = (e)-[r:RELATED]-(x:Entity)
RETURN p
ORDER BY r.weight DESC, x.key
LIMIT $limit
