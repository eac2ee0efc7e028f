// The generation that readers see
// params: corpus
MATCH (k:Corpus {key: $corpus})
RETURN coalesce(k.generation, 0) AS generation
