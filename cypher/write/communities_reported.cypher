// Mark communities to be reported
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key}) USING INDEX SEEK k:Community(key)
SET k.todo_report = $corpus
