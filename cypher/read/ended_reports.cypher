// How many reports of a page ended with a generation or before
// params: corpus, generation, after, end, limit
// returns: last string?, n int, wanted int
MATCH (r:Report) USING INDEX SEEK r:Report(gone, key)
WHERE r.gone = $corpus AND r.key > $after AND r.key < $end
WITH r ORDER BY r.gone, r.key LIMIT $limit
RETURN max(r.key) AS last, count(r) AS n, sum(CASE WHEN r.until <= $generation THEN 1 ELSE 0 END) AS wanted
