// Reports of a level view, with the numbers of what they cite that rests on some documents and chunks that mention some types of entities
// params: corpus, generation, level, documents, types
MATCH (r:Report)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
  AND (r.level = $level OR r.level < $level AND r.final)
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
MATCH (r)-[x:CITES]->(t)
WHERE EXISTS {
  MATCH (t)-[:CITES*0..32]->(u)
  WHERE NOT u:Report
  MATCH (u)<-[:MENTIONS|STATES*0..1]-(c:Chunk)-[:PART_OF]->(d:Document)
  WHERE ($documents IS NULL OR d.key IN $documents)
    AND ($types IS NULL OR EXISTS { MATCH (c)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types })
}
RETURN r.key AS key, collect(x.n) AS numbers
