// Delete at most a number of the synonym edges of a corpus
// params: limit
// returns: n
// scan: no index lists edges, and a corpus loses all of them
MATCH (:Entity___corpus__)-[r:SYNONYM]->()
WITH r LIMIT $limit
DELETE r
RETURN count(*) AS n
