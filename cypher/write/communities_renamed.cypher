// The ordinals and labels that communities get with the flip, or none for those that keep theirs
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (k:Community {key: row.key}) USING INDEX SEEK k:Community(key)
SET k.next_ordinal = row.ordinal, k.next_label = row.label
RETURN count(*) AS n
