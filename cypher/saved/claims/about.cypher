// Claims: about an entity
// params: corpus, entity, limit
// about: What the documents claim about an entity, by date, then in text order.
// param: entity text read/default_claimed: use the entity with this NAME
// param: limit whole 50: maximum number of rows
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH (c:Claim)-[:SUBJECT]->(e)
CALL (c) {
  MATCH (x:Chunk)-[:STATES]->(c)
  RETURN x ORDER BY x.index LIMIT 1
}
MATCH (x)-[:PART_OF]->(d:Document)
WITH c, x, d ORDER BY c.start_date, d.key, x.index, c.key LIMIT $limit
RETURN c.start_date AS begins, c.end_date AS ends, c.type AS type, c.status AS status, c.description AS claim, c.source_text AS words, d.title AS document, x.index AS chunk
