// Remove the communities under a prefix from nodes of any graph; counts nodes without communities too
// params: rows, root_name, path_name, labels_name
// returns: n
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.id
CALL (n) {
  WITH n WHERE n:__corpus__
  REMOVE n:$(coalesce(n[$labels_name], []))
  REMOVE n:__corpus__
  SET n[$root_name] = null, n[$path_name] = null, n[$labels_name] = null
}
RETURN count(*) AS n
