// Remove the request for a run, and cancel the run that is under way
// params: corpus
MATCH (l:Lease {key: $corpus})
SET l.touch = 'cancel'
WITH l, l.until >= datetime.realtime().epochMillis AS held
SET l.cancelled = CASE WHEN held THEN true END
REMOVE l.requested, l.confirmed
