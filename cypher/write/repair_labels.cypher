// Remove community labels of entities; the stage label writes them again
// params: rows
UNWIND $rows AS row
MATCH (e:Entity {key: row.key}) USING INDEX SEEK e:Entity(key)
REMOVE e:$(row.labels)
REMOVE e.labels_set, e.communities, e.community
