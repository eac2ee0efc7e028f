// Claims: by date
// params: from, to, limit
// about: Claims between two dates, in date order.
// param: from text '': show claims from DATE, such as 1843-12-24 or 1843-12
// param: to text '9999': show claims up to DATE
// param: limit whole 50: maximum number of rows
// empty: no claim has a date
// scan: claims have no index by date; only the corpus' own claims are read
MATCH (c:Claim___corpus__)
WHERE c.start_date >= $from AND c.start_date <= $to
WITH c ORDER BY c.start_date, c.key LIMIT $limit
RETURN c.start_date AS begins, c.end_date AS ends, c.subject AS subject, c.object AS object, c.type AS type, c.status AS status, c.description AS claim
