// Entities with community labels, in key order
// params: corpus, after, end, limit
// returns EntityLabels: key string?, labels []string?, communities []int64?, community string?
MATCH (e:Entity)
WHERE e.key > $after AND e.key < $end AND e.corpus = $corpus AND (e.labels_set IS NOT NULL OR e.communities IS NOT NULL)
RETURN e.key AS key, e.labels_set AS labels, e.communities AS communities, e.community AS community
ORDER BY e.key LIMIT $limit
