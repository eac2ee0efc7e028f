// Nodes of any graph that carry communities under a prefix
// params: root_name, path_name, labels_name
// returns: id, root, path, labels
// scan: NeoRAG creates no index in the graph of a user
MATCH (n:__corpus__)
RETURN elementId(n) AS id, n[$root_name] AS root, n[$path_name] AS path, n[$labels_name] AS labels
