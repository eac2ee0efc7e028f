// Delete the lease of a corpus
// params: corpus
MATCH (l:Lease {key: $corpus})
DETACH DELETE l
