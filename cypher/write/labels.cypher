// Community labels of entities, where they changed
// params: rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
WITH e, row, coalesce(e.labels_set, []) AS old
WHERE old <> row.labels OR coalesce(e.communities, []) <> row.communities OR coalesce(e.community, '') <> row.community
REMOVE e:$([x IN old WHERE NOT x IN row.labels])
SET e:$([x IN row.labels WHERE NOT x IN old]),
  e.labels_set = CASE WHEN size(row.labels) > 0 THEN row.labels END,
  e.communities = CASE WHEN size(row.communities) > 0 THEN row.communities END,
  e.community = CASE WHEN row.community <> '' THEN row.community END
