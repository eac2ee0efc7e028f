// All corpora
// params:
// returns: corpus properties
// scan: there are few, and all are wanted
MATCH (k:Corpus)
RETURN k {.*} AS corpus
ORDER BY k.key
