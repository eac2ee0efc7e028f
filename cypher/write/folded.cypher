// What was extracted from chunks before names were folded, null where nothing was
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.key}) USING INDEX SEEK c:Chunk(key)
SET c.unfolded = row.unfolded
RETURN count(*) AS n
