// Overview: what one run did
// params: corpus, run
// about: All that a run noted of itself, one line each.
// param: run text read/default_run: id of a run, as overview/runs shows it
MATCH (r:Run)
WHERE r.key IN [$run, $corpus + '/' + $run] AND r.corpus = $corpus
UNWIND keys(r) AS name
WITH r, name ORDER BY name
RETURN name, toString(r[name]) AS value
