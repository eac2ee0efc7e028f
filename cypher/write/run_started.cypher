// Start the run that was requested; no row if none is
// params: corpus
// returns: confirmed bool
MATCH (l:Lease {key: $corpus})
WHERE l.requested IS NOT NULL
WITH l, datetime.realtime().epochMillis AS now
SET l.started = CASE WHEN now > l.requested THEN now ELSE l.requested END
RETURN l.confirmed IS NOT NULL AS confirmed
