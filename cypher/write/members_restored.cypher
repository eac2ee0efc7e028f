// Undo the end of edges from members of communities, up to a limit
// params: keys, limit
// returns: n
UNWIND $keys AS key
MATCH (k:Community {key: key})<-[m:IN_COMMUNITY]-() USING INDEX SEEK k:Community(key)
WHERE m.until IS NOT NULL
WITH m LIMIT $limit
REMOVE m.until
RETURN count(*) AS n
