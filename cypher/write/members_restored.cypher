// Edges from the members of communities that stay after all, a limited number at a time
// params: keys, limit
UNWIND $keys AS key
MATCH (k:Community {key: key})<-[m:IN_COMMUNITY]-(:Entity)
WHERE m.until IS NOT NULL
WITH m LIMIT $limit
REMOVE m.until
RETURN count(*) AS n
