// Delete the lease of a corpus if it is still held
// params: corpus, owner, token
MATCH (l:Lease {key: $corpus})
SET l.touch = $owner
WITH l WHERE l.token = $token AND l.owner = $owner
DETACH DELETE l
