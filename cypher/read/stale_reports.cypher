// Those of some reports that are stale, with how much of their context is new
// params: corpus, keys
UNWIND $keys AS key
MATCH (r:Report {key: key, corpus: $corpus}) USING INDEX SEEK r:Report(key)
WHERE r.stale > 0
RETURN r.key AS key, r.stale AS stale
