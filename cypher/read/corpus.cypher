// One corpus
// params: corpus
MATCH (k:Corpus {key: $corpus})
RETURN k {.*} AS corpus
