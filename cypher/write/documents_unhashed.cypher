// Documents whose removal needs several transactions
// params: keys
UNWIND $keys AS key
MATCH (d:Document {key: key})
REMOVE d.sha256
