// Begin the removal of documents that needs several transactions: remove their hashes
// params: keys
UNWIND $keys AS key
MATCH (d:Document {key: key})
REMOVE d.sha256
