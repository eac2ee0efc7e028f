// Take the lease of a corpus if it is free, has expired, or has this owner
// params: corpus, owner, ttl
MERGE (l:Lease {key: $corpus})
ON CREATE SET l.corpus = $corpus, l.name = $corpus
SET l.touch = $owner
WITH l, timestamp() AS now
WITH l, now, l.until IS NULL OR l.until < now OR l.owner = $owner AS free
SET l.owner = CASE WHEN free THEN $owner ELSE l.owner END,
    l.until = CASE WHEN free THEN now + $ttl ELSE l.until END,
    l.token = CASE WHEN free THEN coalesce(l.token, 0) + 1 ELSE l.token END
RETURN l.owner AS holder, l.until AS until, l.token AS token
