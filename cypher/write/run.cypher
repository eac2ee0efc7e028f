// Record a run
// params: corpus, key, set
MERGE (r:Run {key: $key})
SET r.corpus = $corpus, r += $set
