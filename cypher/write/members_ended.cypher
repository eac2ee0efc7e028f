// End edges from the members of ended communities, up to a limit
// params: keys, next, limit
// returns: n
UNWIND $keys AS key
MATCH (k:Community {key: key})<-[m:IN_COMMUNITY]-() USING INDEX SEEK k:Community(key)
WHERE m.until IS NULL
WITH m LIMIT $limit
SET m.until = $next
RETURN count(*) AS n
