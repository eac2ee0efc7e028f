// Checks: entities that may be the same
// params: limit
// about: Entities whose names differ only in spaces, periods, hyphens, apostrophes or a final s.
// param: limit whole 50: maximum number of rows
// empty: no two names are alike
// scan: all names are compared; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WITH e, replace(replace(replace(replace(replace(toLower(e.name), ' ', ''), '-', ''), '.', ''), "'", ''), '’', '') AS bare
WITH e, CASE WHEN size(bare) > 3 AND bare ENDS WITH 's' THEN left(bare, size(bare) - 1) ELSE bare END AS alike
WITH alike, collect(e) AS es
WHERE size(es) > 1
WITH alike, es, reduce(n = 0, e IN es | n + e.degree) AS relationships ORDER BY relationships DESC, alike LIMIT $limit
RETURN [e IN es | e.name] AS names, [e IN es | e.type] AS types, relationships, all(e IN es WHERE e.community = es[0].community) AS same_community
