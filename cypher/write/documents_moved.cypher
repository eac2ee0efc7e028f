// The path that documents are read from
// params: keys, root
UNWIND $keys AS key
MATCH (d:Document {key: key}) USING INDEX SEEK d:Document(key)
SET d.root = $root
