// Delete documents whose chunks are gone
// params: keys
UNWIND $keys AS key
MATCH (d:Document {key: key})
DETACH DELETE d
