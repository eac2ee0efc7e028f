// Relationships of any graph with their weights, false for none, one row for each source
// params: weight
// The server puts each row together by itself, so that it never holds the graph: any graph is read as a whole.
CYPHER 5
MATCH (a__labels__)
CALL (a) {
  MATCH (a)-[r__types__]->(b__labels__)
  RETURN collect(id(b)) AS targets, collect(coalesce(r[$weight], false)) AS weights
}
WITH a, targets, weights WHERE size(targets) > 0
RETURN id(a), targets, weights
