// Extend the lease
// params: corpus, owner, token, ttl
// returns: until
MATCH (l:Lease {key: $corpus})
SET l.touch = $owner
WITH l WHERE l.token = $token AND l.owner = $owner
SET l.until = datetime.realtime().epochMillis + $ttl
RETURN l.until AS until
