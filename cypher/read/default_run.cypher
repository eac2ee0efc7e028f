// The id of the latest run
// params: corpus
// returns: value
MATCH (r:Run)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
RETURN substring(r.key, size($corpus) + 1) AS value
ORDER BY r.started DESC, r.key
LIMIT 1
