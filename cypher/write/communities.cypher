// The communities of a hierarchy; new ones begin with the next generation
// params: corpus, rows, next
// returns: n
UNWIND $rows AS row
MERGE (k:Community {key: row.key})
ON CREATE SET k.corpus = $corpus, k.since = $next, k.todo_report = $corpus
SET k += row.set, k.todo_report = CASE WHEN row.report THEN $corpus ELSE k.todo_report END
RETURN count(*) AS n
