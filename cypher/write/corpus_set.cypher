// Settings and counters of a corpus
// params: corpus, set
// returns: n
MATCH (k:Corpus {key: $corpus})
SET k += $set
RETURN count(*) AS n
