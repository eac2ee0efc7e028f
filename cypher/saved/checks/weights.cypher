// Checks: weights against mentions
// params: corpus, check, after, limit
// about: Relationships whose weight or strength is not the sum over their mentions, or whose edge RELATED is missing or has another weight.
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: weights and mentions agree
MATCH (r:Relationship)
WHERE r.key > $corpus + '/' + $after AND r.key < $corpus + '0' AND r.corpus = $corpus
WITH r ORDER BY r.key LIMIT $check
CALL (r) {
  OPTIONAL MATCH (:Chunk)-[m:MENTIONS]->(r)
  RETURN coalesce(sum(m.count), 0) AS counted, coalesce(sum(m.strength), 0) AS strength
}
CALL (r) {
  OPTIONAL MATCH (r)-[:SOURCE]->(s:Entity)-[x:RELATED {key: r.key}]->(t:Entity)<-[:TARGET]-(r)
  RETURN count(x) AS edges, max(x.weight) AS drawn
}
WITH r, counted, strength, edges, drawn
WHERE r.weight <> counted OR r.strength <> strength OR edges <> 1 OR drawn <> r.weight
RETURN substring(r.key, size($corpus) + 1) AS id, r.name AS relationship, r.weight AS weight, counted, r.strength AS strength, strength AS summed, edges, drawn AS weight_of_edge
LIMIT $limit
