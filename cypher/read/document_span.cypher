// The number of the documents of a corpus, and their first and last dates
// params:
// returns DocumentSpan: documents int, first string?, last string?
// scan: dates have no index; only the corpus' own documents are read
MATCH (d:Document___corpus__)
RETURN count(d) AS documents, min(d.date) AS first, max(d.date) AS last
