// Entities: by the beginning of the name
// params: corpus, begins, limit
// about: Entities whose names begin with a text, in name order.
// param: begins text '': show entities whose names begin with TEXT
// param: limit whole 50: maximum number of rows
MATCH (e:Entity)
WHERE e.key STARTS WITH $corpus + '/' + toLower($begins) AND e.corpus = $corpus
RETURN e.name AS entity, e.type AS type, e.degree AS relationships, e.frequency AS chunks, left(e.description, 200) AS description
ORDER BY e.key
LIMIT $limit
