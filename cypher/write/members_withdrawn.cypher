// Delete edges from the members of communities, up to a limit
// params: keys, limit
// returns: n
UNWIND $keys AS key
MATCH (k:Community {key: key})<-[m:IN_COMMUNITY]-() USING INDEX SEEK k:Community(key)
WITH m LIMIT $limit
DELETE m
RETURN count(*) AS n
