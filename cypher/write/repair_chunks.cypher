// Mark a page of chunks to be extracted, even if their text did not change
// params: corpus, after, end, limit
// returns markAllRow: seen int64, marked int64, last string?
MATCH (c:Chunk)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $limit
SET c.todo_extract = $corpus
REMOVE c.extract_fp, c.extract_sum
RETURN count(c) AS seen, count(c) AS marked, max(c.key) AS last
