// Claims: about an entity, as a picture
// params: corpus, entity, limit
// about: The claims about an entity, their objects, and the chunks and documents that state them.
// param: entity text read/default_claimed: use the entity with this NAME
// param: limit whole 25: maximum number of claims
// draws
MATCH (e:Entity) USING INDEX SEEK e:Entity(key)
WHERE e.key IN [$entity, $corpus + '/' + toLower(trim($entity))] AND e.corpus = $corpus
MATCH p = (e)<-[:SUBJECT]-(c:Claim)<-[:STATES]-(:Chunk)-[:PART_OF]->(:Document)
WITH p, c ORDER BY c.start_date, c.key LIMIT $limit
OPTIONAL MATCH q = (c)-[:OBJECT]->(:Entity)
RETURN p, q
