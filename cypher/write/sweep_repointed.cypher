// Redirect citations of the first reports that ended to their successors
// params: corpus, generation, limit
// returns: n
MATCH (old:Report) USING INDEX SEEK old:Report(gone, key)
WHERE old.gone = $corpus AND old.key > '' AND old.until <= $generation
WITH old ORDER BY old.gone, old.key LIMIT $limit
MATCH (old)<-[:HAS_REPORT]-(:Community)-[:HAS_REPORT]->(new:Report)
WHERE new.until IS NULL
MATCH (x:Report|Finding)-[c:CITES]->(old)
WHERE x.gone IS NULL AND NOT EXISTS { (x)<-[:HAS_FINDING]-(of:Report) WHERE of.gone IS NOT NULL }
MERGE (x)-[moved:CITES {n: c.n}]->(new)
RETURN count(*) AS n
