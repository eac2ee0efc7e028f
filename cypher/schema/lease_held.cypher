// Whether the lease is still held: before and after a change of indexes, whose transaction cannot write data
// params: corpus, owner, token
// returns: held
MATCH (l:Lease {key: $corpus})
WHERE l.token = $token AND l.owner = $owner
RETURN 1 AS held
