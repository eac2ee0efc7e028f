// Record that the next generation is being written
// params: corpus, next
MATCH (k:Corpus {key: $corpus})
WHERE coalesce(k.next, 0) < $next
SET k.next = $next
