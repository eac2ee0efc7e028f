// Delete communities of an unfinished generation that no longer belong, with their reports
// params: keys
UNWIND $keys AS key
MATCH (k:Community {key: key})
OPTIONAL MATCH (k)-[:HAS_REPORT]->(r:Report)
OPTIONAL MATCH (r)-[:HAS_FINDING]->(f:Finding)
DETACH DELETE f, r, k
