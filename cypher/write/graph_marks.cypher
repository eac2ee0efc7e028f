// Communities of nodes of any graph under a prefix; skips nodes whose properties something else wrote
// params: rows, root_name, path_name, labels_name
// returns: n
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.id
  AND (n:__corpus__ OR n[$root_name] IS NULL AND n[$path_name] IS NULL AND n[$labels_name] IS NULL)
WITH n, row, coalesce(n[$labels_name], []) AS old
REMOVE n:$([x IN old WHERE NOT x IN row.labels])
SET n:__corpus__, n:$([x IN row.labels WHERE NOT x IN old])
SET n[$root_name] = row.community, n[$path_name] = row.communities, n[$labels_name] = row.labels
RETURN count(*) AS n
