// Entities: by the beginning of the name
// params: corpus, begins, limit
// about: Entities in name order, from these letters on.
// param: begins text '': first letters of a name
// param: limit whole 50: maximum number of rows
MATCH (e:Entity)
WHERE e.key STARTS WITH $corpus + '/' + toLower($begins) AND e.corpus = $corpus
RETURN e.name AS entity, e.type AS type, e.degree AS relationships, e.frequency AS chunks, left(e.description, 200) AS description
ORDER BY e.key
LIMIT $limit
