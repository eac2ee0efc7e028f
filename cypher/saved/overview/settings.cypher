// Overview: what the corpus was made with
// params: corpus
// about: Models, counters and the fingerprints of the settings of each stage, as they stand on the corpus.
MATCH (k:Corpus {key: $corpus})
UNWIND keys(k) AS name
WITH k, name ORDER BY name
RETURN name, toString(k[name]) AS value
