// The longest document
// params:
// returns: value
// scan: documents have no index by length; the corpus' own documents are few
MATCH (d:Document___corpus__)
RETURN d.uri AS value
ORDER BY d.n_tokens DESC, d.key
LIMIT 1
