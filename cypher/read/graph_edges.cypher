// Relationships of any graph
// params:
// returns: sources, targets
// scan: without a label the graph has all nodes
// A row holds a thousand nodes, because the driver spends more on a row than on what is in it
CYPHER 5
MATCH (a__labels__)
WITH collect(a) AS nodes
UNWIND range(0, size(nodes) - 1, 1000) AS first
CALL (nodes, first) {
  UNWIND nodes[first..first + 1000] AS a
  MATCH (a)-[__types__]->(b__labels__)
  RETURN collect(id(a)) AS sources, collect(id(b)) AS targets
}
RETURN sources, targets
