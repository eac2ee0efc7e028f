// Delete communities that ended
// params: keys
UNWIND $keys AS key
MATCH (k:Community {key: key}) USING INDEX SEEK k:Community(key)
DETACH DELETE k
