// The generation that readers see, and the shape of the graph
// params: corpus
MATCH (k:Corpus {key: $corpus})
RETURN coalesce(k.generation, 0) AS generation, coalesce(k.schema, 0) AS schema
