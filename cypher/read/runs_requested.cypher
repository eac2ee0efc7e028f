// Corpora with a request for a run that is at least as old as quiet, in milliseconds, and who holds their leases
// params: quiet
// returns: corpus string, owner string?
// scan: a corpus has one lease, and all are wanted
MATCH (l:Lease)
WITH l, datetime.realtime().epochMillis AS now
WHERE l.requested <= now - $quiet
RETURN l.key AS corpus, CASE WHEN l.until >= now THEN l.owner END AS owner
ORDER BY corpus
