// Delete the edges of pairs that change, after marking the pairs that have them as neighbours
// params: corpus, keys
UNWIND $keys AS key
MATCH (q:Query {key: key})-[r:SIMILAR_QUERY]-(p) USING INDEX SEEK q:Query(key)
FOREACH (p IN CASE WHEN startNode(r) = p THEN [p] ELSE [] END | SET p.todo_link = $corpus)
DELETE r
