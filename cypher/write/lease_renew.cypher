// Extend the lease, and store the progress of its run
// params: corpus, owner, token, ttl, progress
// returns: cancelled bool
MATCH (l:Lease {key: $corpus})
SET l.touch = $owner
WITH l, datetime.realtime().epochMillis AS now WHERE l.token = $token AND l.owner = $owner
SET l.until = now + $ttl, l.renewed = now, l.progress = $progress
RETURN l.cancelled IS NOT NULL AS cancelled
