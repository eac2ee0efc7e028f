// Communities of nodes of any graph under a prefix; not where others use its properties
// params: rows, community, communities, labels
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.id
  AND (n:__corpus__ OR n[$community] IS NULL AND n[$communities] IS NULL AND n[$labels] IS NULL)
WITH n, row, coalesce(n[$labels], []) AS old
REMOVE n:$([x IN old WHERE NOT x IN row.labels])
SET n:__corpus__, n:$([x IN row.labels WHERE NOT x IN old])
SET n[$community] = row.community, n[$communities] = row.communities, n[$labels] = row.labels
RETURN count(*) AS n
