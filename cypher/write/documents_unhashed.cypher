// Begin the removal of documents that needs several transactions: remove their hashes
// params: keys
UNWIND $keys AS key
MATCH (d:Document {key: key}) USING INDEX SEEK d:Document(key)
REMOVE d.sha256
