// Mark what ended with an earlier generation to be deleted
// params: corpus, keys
// for: Community, Report
UNWIND $keys AS key
MATCH (n:__Kind__ {key: key}) USING INDEX SEEK n:__Kind__(key)
SET n.gone = $corpus
