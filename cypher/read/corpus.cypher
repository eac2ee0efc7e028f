// One corpus
// params: corpus
MATCH (k:Corpus {key: $corpus})
RETURN k {.*, excluded: null} AS corpus
