// First statement of every write: lock the lease, check that it still holds, and count the write
// params: corpus, owner, token
// returns: held
MATCH (l:Lease {key: $corpus})
SET l.touch = $owner, l.writes = coalesce(l.writes, 0) + 1
WITH l WHERE l.token = $token AND l.owner = $owner
RETURN 1 AS held
