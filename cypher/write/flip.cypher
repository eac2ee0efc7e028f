// Make the next generation the visible one; also when it is, because the answer to the commit may have been lost
// params: corpus, next, set
// returns: n
MATCH (k:Corpus {key: $corpus})
WHERE k.generation IN [$next - 1, $next]
SET k.generation = $next, k.next = $next, k += $set
RETURN count(*) AS n
