// Record that chunks are extracted
// params: rows
// returns: n
UNWIND $rows AS row
MATCH (c:Chunk {key: row.key}) USING INDEX SEEK c:Chunk(key)
SET c.extract_fp = row.fp, c.extract_sum = coalesce(row.sum, c.extract_sum), c.unfolded = CASE WHEN row.sum IS NULL THEN c.unfolded END
REMOVE c.todo_extract, c.extract_error
RETURN count(*) AS n
