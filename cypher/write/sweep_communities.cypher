// Delete communities that ended
// params: keys
UNWIND $keys AS key
MATCH (k:Community {key: key})
DETACH DELETE k
