// Claims: types and status
// params: limit
// about: The number of claims of each type, by whether the text calls them true, false or suspected.
// param: limit whole 50: maximum number of rows
// scan: types have no index; only the corpus' own claims are read
MATCH (c:Claim___corpus__)
RETURN c.type AS type, count(*) AS claims, count(CASE c.status WHEN 'TRUE' THEN 1 END) AS said_true,
  count(CASE c.status WHEN 'FALSE' THEN 1 END) AS said_false, count(CASE c.status WHEN 'SUSPECTED' THEN 1 END) AS suspected, count(c.start_date) AS dated
ORDER BY claims DESC, type
LIMIT $limit
