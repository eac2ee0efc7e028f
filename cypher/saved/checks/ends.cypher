// Checks: relationships and claims with a missing end
// params: corpus, check, after, limit
// about: Relationships without source or target, and claims without subject or chunk.
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows of each kind
// empty: no end is missing
MATCH (r:Relationship)
WHERE r.key > $corpus + '/' + $after AND r.key < $corpus + '0' AND r.corpus = $corpus
WITH r ORDER BY r.key LIMIT $check
WITH r, COUNT { (r)-[:SOURCE]->() } AS ones, COUNT { (r)-[:TARGET]->() } AS others, COUNT { (r)<-[:MENTIONS]-() } AS chunks
WHERE ones <> 1 OR others <> 1 OR chunks = 0
RETURN 'relationship' AS kind, substring(r.key, size($corpus) + 1) AS id, r.name AS name, ones AS sources_or_subjects, others AS targets, chunks
LIMIT $limit
UNION ALL
MATCH (c:Claim)
WHERE c.key > $corpus + '/' + $after AND c.key < $corpus + '0' AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $check
WITH c, COUNT { (c)-[:SUBJECT]->() } AS ones, COUNT { (c)<-[:STATES]-() } AS chunks
WHERE ones <> 1 OR chunks = 0
RETURN 'claim' AS kind, substring(c.key, size($corpus) + 1) AS id, c.name AS name, ones AS sources_or_subjects, null AS targets, chunks
LIMIT $limit
