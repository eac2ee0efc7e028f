// Overview: recent runs
// params: corpus, limit
// about: The latest runs that wrote something: writes, model calls, tokens, cost and exit code.
// param: limit whole 20: maximum number of runs
MATCH (r:Run)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
RETURN substring(r.key, size($corpus) + 1) AS run, r.started AS started, duration.inSeconds(r.started, r.finished).seconds AS seconds,
  r.count_writes AS writes, r.calls AS calls, r.tokens_in AS tokens_in, r.tokens_out AS tokens_out, r.cost AS cost, r.exit AS exit
ORDER BY started DESC, run
LIMIT $limit
