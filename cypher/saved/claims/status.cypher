// Claims: by status
// params: status, limit
// about: Claims that the text calls suspected, false or true.
// param: status text 'SUSPECTED': show claims with STATUS TRUE, FALSE or SUSPECTED
// param: limit whole 50: maximum number of rows
// scan: claims have no index by status; only the corpus' own claims are read
MATCH (c:Claim___corpus__)
WHERE c.status = toUpper($status)
WITH c ORDER BY c.key LIMIT $limit
RETURN c.subject AS subject, c.object AS object, c.type AS type, c.description AS claim, c.source_text AS words
