// Edges from nodes with these ids that lead to nodes of the graph of evidence, with their weights
// params: ids
// returns: sources, targets, weights, synonyms
// A row holds the edges of a thousand nodes, either synonyms or others, because the driver spends more on a row than on what is in it
CYPHER 5
UNWIND range(0, size($ids) - 1, 1000) AS first
CALL (first) {
  UNWIND $ids[first..first + 1000] AS id
  MATCH (a) WHERE id(a) = id
  MATCH (a)-[r:RELATED|SYNONYM|MENTIONS|SOURCE|TARGET|NEXT_CHUNK|PART_OF]->(b)
  RETURN collect(id(a)) AS sources, collect(id(b)) AS targets,
    collect(coalesce(r.weight, r.count, size(r.names), r.score, 1)) AS weights, r:SYNONYM AS synonyms
}
RETURN sources, targets, weights, synonyms
