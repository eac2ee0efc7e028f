// Delete pairs of names
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (p:NamePair {key: row.key}) USING INDEX SEEK p:NamePair(key)
DELETE p
RETURN count(*) AS n
