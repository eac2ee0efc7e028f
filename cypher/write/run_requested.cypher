// Request a run of a corpus, later than the start of the run that is under way
// params: corpus, confirm
MERGE (l:Lease {key: $corpus})
ON CREATE SET l.corpus = $corpus, l.name = $corpus
SET l.touch = 'request'
WITH l, datetime.realtime().epochMillis AS now
WITH l, CASE WHEN l.started >= now THEN l.started + 1 ELSE now END AS at
SET l.requested = at, l.confirmed = CASE WHEN $confirm THEN at ELSE l.confirmed END
REMOVE l.failure
