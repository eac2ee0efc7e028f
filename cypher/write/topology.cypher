// Record that the edges between entities changed
// params: corpus
MATCH (k:Corpus {key: $corpus})
SET k.topology = coalesce(k.topology, 0) + 1
RETURN count(*) AS n
