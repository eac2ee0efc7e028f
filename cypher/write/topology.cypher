// Record that edges between entities changed
// params: corpus, edges
// returns: n
MATCH (k:Corpus {key: $corpus})
SET k.topology = coalesce(k.topology, 0) + 1, k.edges_changed = coalesce(k.edges_changed, 0) + $edges
RETURN count(*) AS n
