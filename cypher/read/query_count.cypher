// The number of pairs of a corpus that are kept
// params: corpus
MATCH (q:Query___corpus__) WHERE q.kept
RETURN count(q) AS n
