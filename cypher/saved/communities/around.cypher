// Communities: of an entity, as a picture
// params: corpus, entity
// about: The communities of an entity, from the root down, with their reports.
// param: entity text read/default_entity: use the entity with this NAME
// draws
MATCH (e:Entity)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH p = (e)-[m:IN_COMMUNITY]->(c:Community)
WHERE m.until IS NULL
OPTIONAL MATCH q = (c)-[:HAS_REPORT]->(r:Report)
WHERE r.until IS NULL
RETURN p, q
ORDER BY c.level
LIMIT 50
