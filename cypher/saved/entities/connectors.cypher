// Entities: connections between communities
// params: level, of, limit
// about: Of the most connected entities, those whose neighbours are in the most communities of a level.
// param: level whole 0: use communities of level N; 0 is the root level
// param: of whole 200: consider the N most connected entities
// param: limit whole 25: maximum number of rows
// scan: no index is ordered by degree; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e ORDER BY e.degree DESC, e.key LIMIT $of
MATCH (e)-[r:RELATED]-(x:Entity)
WITH e, x.communities[$level] AS community, sum(r.weight) AS weight
WITH e, count(community) AS communities, sum(CASE WHEN community <> e.communities[$level] THEN weight ELSE 0 END) AS outside, sum(weight) AS all
WITH e, communities, outside, all ORDER BY communities DESC, outside DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.type AS type, e.community AS community, communities, round(100.0 * outside / all) AS percent_outside
