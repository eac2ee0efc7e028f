// Nodes of any graph by element id, with the property that identifies them
// params: ids, key
// returns: id, name
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
RETURN id, n[$key] AS name
