// Delete documents whose chunks are deleted
// params: keys
UNWIND $keys AS key
MATCH (d:Document {key: key}) USING INDEX SEEK d:Document(key)
DETACH DELETE d
