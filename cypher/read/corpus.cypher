// One corpus
// params: corpus
// returns: corpus properties
MATCH (k:Corpus {key: $corpus})
RETURN k {.*, excluded: null, removing_documents: null, readmitted: null} AS corpus
