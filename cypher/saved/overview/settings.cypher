// Overview: the settings of the corpus
// params: corpus
// about: Models, counters and the settings fingerprint of each stage, as stored on the corpus.
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
UNWIND keys(k) AS name
WITH k, name ORDER BY name
RETURN name, k[name] AS value
