// Take communities under a prefix away from nodes of any graph
// params: rows, community, communities, labels
UNWIND $rows AS row
MATCH (n:__corpus__) WHERE elementId(n) = row.id
REMOVE n:$(coalesce(n[$labels], []))
REMOVE n:__corpus__
SET n[$community] = null, n[$communities] = null, n[$labels] = null
RETURN count(*) AS n
