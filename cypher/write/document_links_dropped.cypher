// Delete at most a number of the edges between similar documents of a corpus
// params: limit
// returns: n
// scan: no index lists edges, and a corpus loses all of them
MATCH (:Document___corpus__)-[r:SIMILAR_DOCUMENT]->()
WITH r LIMIT $limit
DELETE r
RETURN count(*) AS n
