// A new corpus
// params: corpus, schema
MERGE (k:Corpus {key: $corpus})
ON CREATE SET k.corpus = $corpus, k.name = $corpus, k.created = datetime(), k.schema = $schema, k.topology = 0,
  k.clustered = 0, k.next = 0, k.generation = 0, k.labelled = 0, k.swept = 0
