// Reports of a level view, with the numbers of the citations that a scope supports
// params: corpus, generation, level, documents, chunks
// returns: key string?, numbers []int
MATCH (r:Report)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
  AND (r.level = $level OR r.level < $level AND r.final)
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
MATCH (r)-[x:CITES]->(t)
WHERE EXISTS {
  MATCH (t)-[:CITES*0..32]->(u)
  WHERE NOT u:Report
  MATCH (u)<-[:MENTIONS|STATES*0..1]-(c:Chunk)-[:PART_OF]->(d:Document)
  WHERE d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
}
RETURN r.key AS key, collect(x.n) AS numbers
