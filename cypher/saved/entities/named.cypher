// Entities: those whose names begin so
// params: corpus, begins, limit
// about: Entities in the order of their names, from the first letters on.
// param: begins text '': first letters of a name
// param: limit whole 50: rows at most
MATCH (e:Entity)
WHERE e.key STARTS WITH $corpus + '/' + toLower($begins) AND e.corpus = $corpus
RETURN e.name AS entity, e.type AS type, e.degree AS relationships, e.frequency AS chunks, left(e.description, 200) AS description
ORDER BY e.key
LIMIT $limit
