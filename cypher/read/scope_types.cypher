// Types of entities, the most frequent first
// params: corpus, after, end, limit
// returns: type string?, n int
MATCH (e:Entity)
WHERE e.key > $after AND e.key < $end AND e.corpus = $corpus AND e.type IS NOT NULL
RETURN e.type AS type, count(*) AS n
ORDER BY n DESC, type LIMIT $limit
