// A page of the documents dated in a period; an incomplete date counts as its first day
// params: corpus, after, end, since, until, limit
// returns DocumentName: key string?, uri string?
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus
WITH d, d.date + substring('0000-01-01', CASE WHEN size(d.date) < 10 THEN size(d.date) ELSE 10 END) AS day
WHERE ($since = '' OR day >= $since) AND ($until = '' OR day < $until)
RETURN d.key AS key, d.uri AS uri
ORDER BY key LIMIT $limit
