// Nodes of any graph that have a relationship, with the property that names them
// params: key
// scan: any graph may have no index
CYPHER 5
MATCH (n__labels__)
WHERE EXISTS { (n)-[__types__]-() }
RETURN id(n), elementId(n), n[$key]
