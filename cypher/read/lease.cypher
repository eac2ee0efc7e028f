// The run that holds the lease of a corpus, and whether a run is requested that has not ended
// params: corpus
// returns: owner string?, age int64?, progress string?, requested bool, failure string?
MATCH (l:Lease {key: $corpus})
WITH l, datetime.realtime().epochMillis AS now
WITH l, now, coalesce(l.until >= now, false) AS held
RETURN CASE WHEN held THEN l.owner END AS owner,
       CASE WHEN held THEN now - l.renewed END AS age,
       CASE WHEN held THEN l.progress END AS progress,
       l.requested IS NOT NULL AS requested,
       l.failure AS failure
