// The numbers of documents and of dated documents of a corpus, and the first and last date
// params: corpus, after, end
// returns Dates: documents int, dated int, first string?, last string?
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus
WITH d, CASE d.date WHEN '' THEN null ELSE d.date END AS date
RETURN count(d) AS documents, count(date) AS dated, min(date) AS first, max(date) AS last
