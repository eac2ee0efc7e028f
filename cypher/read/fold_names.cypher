// A page of the entities of a corpus with their other names
// params: corpus, after, end, limit
// returns AliasedEntity: key string?, name string?, type string?, frequency int?, aliases []string?, marked bool
MATCH (e:Entity)
WHERE e.key > $after AND e.key < $end AND e.corpus = $corpus
WITH e ORDER BY e.key LIMIT $limit
RETURN e.key AS key, e.name AS name, e.type AS type, e.frequency AS frequency, e.aliases AS aliases, e.todo_derive IS NOT NULL AS marked
ORDER BY key
