// Nodes of any graph that carry communities under a prefix
// params: root_name, path_name, labels_name
// scan: NeoRAG creates no index in the graph of a user
MATCH (n:__corpus__)
RETURN elementId(n), n[$root_name], n[$path_name], n[$labels_name]
