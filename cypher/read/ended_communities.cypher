// A page of the communities that ended with a generation or before
// params: corpus, generation, after, end, limit
// returns endedCommunity: key string? > key, size int > size, id int64 > id
MATCH (k:Community) USING INDEX SEEK k:Community(gone, key)
WHERE k.gone = $corpus AND k.key > $after AND k.key < $end AND k.until <= $generation
RETURN k.key AS key, coalesce(k.size, 0) AS size, id(k) AS id
ORDER BY k.gone, k.key LIMIT $limit
