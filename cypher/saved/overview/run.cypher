// Overview: one run
// params: corpus, run
// about: Everything recorded about a run, one row each.
// param: run text read/default_run: use the run with this ID, as overview/runs shows it
MATCH (r:Run) USING INDEX SEEK r:Run(key)
WHERE r.key IN [$run, $corpus + '/' + $run] AND r.corpus = $corpus
UNWIND keys(r) AS name
WITH r, name ORDER BY name
RETURN name, r[name] AS value
