// Entities: everything about an entity
// params: corpus, entity, limit
// about: The type and description of an entity, its communities, its strongest neighbours, the claims about it and the documents that mention it.
// param: entity text read/default_entity: use the entity with this NAME
// param: limit whole 10: maximum number of neighbours, of claims and of documents
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
RETURN e.name AS entity, e.type AS type, e.description AS description, e.degree AS relationships, e.frequency AS chunks,
  COLLECT {
    MATCH (e)-[m:IN_COMMUNITY]->(c:Community)
    WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g
    RETURN c.label ORDER BY c.level
  } AS communities,
  COLLECT {
    MATCH (e)-[r:RELATED]-(x:Entity)
    WITH x, r ORDER BY r.weight DESC, x.key LIMIT $limit
    RETURN x.name + ' (' + r.weight + ')'
  } AS neighbours,
  COLLECT {
    MATCH (c:Claim)-[:SUBJECT]->(e)
    WITH c ORDER BY c.key LIMIT $limit
    RETURN c.status + ': ' + c.description
  } AS claims,
  COLLECT {
    MATCH (d:Document)<-[:PART_OF]-(:Chunk)-[:MENTIONS]->(e)
    WITH d, count(*) AS n ORDER BY n DESC, d.key LIMIT $limit
    RETURN d.title + ' (' + n + ')'
  } AS documents
