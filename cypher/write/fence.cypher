// First statement of every write: lock the lease and check that it still holds
// params: corpus, owner, token
MATCH (l:Lease {key: $corpus})
SET l.touch = $owner
WITH l WHERE l.token = $token AND l.owner = $owner
RETURN 1 AS held
