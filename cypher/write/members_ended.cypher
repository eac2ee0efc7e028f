// Edges from the members of ended communities, a limited number at a time
// params: keys, next, limit
UNWIND $keys AS key
MATCH (k:Community {key: key})<-[m:IN_COMMUNITY]-(:Entity)
WHERE m.until IS NULL
WITH m LIMIT $limit
SET m.until = $next
RETURN count(*) AS n
