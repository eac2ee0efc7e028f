// The properties of a corpus
// params: corpus
// returns: generation int64, properties properties
MATCH (k:Corpus {key: $corpus})
RETURN coalesce(k.generation, 0) AS generation, k {.*} AS properties
