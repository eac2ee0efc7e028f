// Make the next generation the visible one
// params: corpus, next, topology
MATCH (k:Corpus {key: $corpus})
WHERE k.generation = $next - 1
SET k.generation = $next, k.next = $next, k.clustered = $topology
RETURN count(*) AS n
