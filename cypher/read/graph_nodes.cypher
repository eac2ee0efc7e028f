// Nodes of any graph that have a relationship, with the property that identifies them
// params: key
// returns: ids, element_ids, names
// scan: the graph may have no index
// A row holds a thousand nodes, because the driver spends more on a row than on what is in it
CYPHER 5
MATCH (n__labels__)
WHERE EXISTS { (n)-[__types__]-() }
WITH collect(n) AS nodes
UNWIND range(0, size(nodes) - 1, 1000) AS first
WITH nodes[first..first + 1000] AS page
RETURN [n IN page | id(n)] AS ids, [n IN page | elementId(n)] AS element_ids, [n IN page | n[$key]] AS names
