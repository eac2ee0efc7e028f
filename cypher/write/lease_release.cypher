// Release the lease
// params: corpus, owner, token
MATCH (l:Lease {key: $corpus})
SET l.touch = $owner
WITH l WHERE l.token = $token AND l.owner = $owner
REMOVE l.until, l.owner, l.renewed, l.progress, l.cancelled
