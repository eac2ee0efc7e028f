// Communities: of an entity, as a picture
// params: corpus, entity
// about: The communities of an entity, from the root down, with their reports.
// param: entity text read/default_entity: use the entity with this NAME
// draws
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH p = (e)-[m:IN_COMMUNITY]->(c:Community)
WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g
OPTIONAL MATCH q = (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
RETURN p, q
ORDER BY c.level
LIMIT 50
