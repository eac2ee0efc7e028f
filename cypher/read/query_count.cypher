// The number of pairs of a corpus that are kept
// params:
// returns: n int
// scan: the pairs of the corpus are counted
MATCH (q:Query___corpus__) WHERE q.kept
RETURN count(q) AS n
