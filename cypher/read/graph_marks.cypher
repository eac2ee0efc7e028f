// Nodes of any graph that carry communities under a prefix
// params: root_name, path_name, labels_name
// scan: no index is made in a graph of somebody else
MATCH (n:__corpus__)
RETURN elementId(n), n[$root_name], n[$path_name], n[$labels_name]
