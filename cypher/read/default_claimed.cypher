// The entity with most claims
// params: corpus
// returns: value
// scan: claims have no index by their subject; only the corpus' own claims are read
MATCH (c:Claim___corpus__)-[:SUBJECT]->(e:Entity)
WITH e, count(c) AS n ORDER BY n DESC, e.key LIMIT 1
WITH e, substring(e.key, size($corpus) + 1) AS id
RETURN CASE WHEN toLower(e.name) = id THEN e.name ELSE id END AS value
