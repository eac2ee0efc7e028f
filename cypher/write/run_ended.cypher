// Remove the requests that came before the start of the run that has ended, and store why it failed
// params: corpus, failure
MATCH (l:Lease {key: $corpus})
SET l.failure = $failure,
    l.requested = CASE WHEN l.requested > l.started THEN l.requested END,
    l.confirmed = CASE WHEN l.confirmed > l.started THEN l.confirmed END
