// Relationships of any graph, one row for each source
// params:
// The server puts each row together by itself, so that it never holds the graph: any graph is read as a whole.
CYPHER 5
MATCH (a__labels__)
CALL (a) {
  MATCH (a)-[__types__]->(b__labels__)
  RETURN collect(id(b)) AS targets
}
WITH a, targets WHERE size(targets) > 0
RETURN id(a), targets
