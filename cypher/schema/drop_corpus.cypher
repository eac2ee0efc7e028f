// Delete the node of a corpus
// params: corpus
MATCH (k:Corpus {key: $corpus})
DETACH DELETE k
