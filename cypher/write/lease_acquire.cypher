// Take the lease of a corpus if it is free, has this owner, or expired before this statement began to wait for it and was not extended since it was seen expired
// params: corpus, owner, ttl, expired
// returns: holder string?, until int64?, token int64?, expired bool?
MERGE (l:Lease {key: $corpus})
ON CREATE SET l.corpus = $corpus, l.name = $corpus
SET l.touch = $owner
WITH l, datetime.realtime().epochMillis AS now, coalesce(l.until < timestamp(), false) AS expired
WITH l, now, expired, l.until IS NULL OR l.owner = $owner OR expired AND l.until = $expired AS free
SET l.owner = CASE WHEN free THEN $owner ELSE l.owner END,
    l.until = CASE WHEN free THEN now + $ttl ELSE l.until END,
    l.token = CASE WHEN free THEN coalesce(l.token, 0) + 1 ELSE l.token END,
    l.renewed = CASE WHEN free THEN now ELSE l.renewed END,
    l.progress = CASE WHEN free THEN null ELSE l.progress END,
    l.cancelled = CASE WHEN free THEN null ELSE l.cancelled END,
    l.failure = CASE WHEN free THEN null ELSE l.failure END
RETURN l.owner AS holder, l.until AS until, l.token AS token, expired AND NOT free AS expired
