// A page of the pairs of names that a model was asked about
// params: corpus, after, end, limit
// returns graph.NamePair: key string? > _, a string?, b string?, same bool?
MATCH (p:NamePair)
WHERE p.key > $after AND p.key < $end AND p.corpus = $corpus
WITH p ORDER BY p.key LIMIT $limit
RETURN p.key AS key, p.a AS a, p.b AS b, p.same AS same
ORDER BY key
