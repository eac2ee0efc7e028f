// Nodes of any graph by their element ids, with the property that names them
// params: ids, key
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
RETURN id, n[$key]
