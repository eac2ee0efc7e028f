// Nodes of any graph that carry communities under a prefix
// params: community, communities, labels
// scan: no index is made in a graph of somebody else
MATCH (n:__corpus__)
RETURN elementId(n), n[$community], n[$communities], n[$labels]
