// Undo the end of communities that are wanted after all, and of their reports
// params: corpus, keys, next
// returns: n
UNWIND $keys AS key
MATCH (k:Community {key: key}) USING INDEX SEEK k:Community(key)
SET k.todo_report = $corpus
REMOVE k.until, k.gone
WITH k
CALL (k) {
  MATCH (k)-[:HAS_REPORT]->(r)
  WHERE r.until = $next
  REMOVE r.until, r.gone
  RETURN count(*) AS reports
}
RETURN count(*) AS n
