// The visible generation, and the schema version
// params: corpus
// returns: generation int64, schema int
MATCH (k:Corpus {key: $corpus})
RETURN coalesce(k.generation, 0) AS generation, coalesce(k.schema, 0) AS schema
