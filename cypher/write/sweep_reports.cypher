// Delete the first reports that ended, with their findings
// params: corpus, generation, limit
MATCH (r:Report) USING INDEX SEEK r:Report(gone, key)
WHERE r.gone = $corpus AND r.key > '' AND r.until <= $generation
WITH r ORDER BY r.key LIMIT $limit
OPTIONAL MATCH (r)-[:HAS_FINDING]->(f:Finding)
DETACH DELETE f, r
RETURN count(DISTINCT r) AS n
