// The documents that are kept out of a corpus, by URI
// params: corpus
// returns: excluded []string
MATCH (k:Corpus {key: $corpus})
RETURN coalesce(k.excluded, []) AS excluded
