// Mark communities to be reported
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key})
SET k.todo_report = $corpus
