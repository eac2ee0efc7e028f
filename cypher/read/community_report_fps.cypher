// Fingerprints of the reports of communities
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Community {key: key, corpus: $corpus}) USING INDEX SEEK k:Community(key)
RETURN key AS community, k.report_fp AS report_fp
