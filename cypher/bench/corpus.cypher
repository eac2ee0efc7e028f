// A corpus for a benchmark
// params: corpus, rows
UNWIND $rows AS row
MATCH (k:Corpus {key: $corpus})
SET k += row.set
MERGE (r:Run {key: $corpus + '/made'})
SET r += {corpus: $corpus, name: 'made', started: datetime(), finished: datetime(), calls: 0, tokens_in: 0, tokens_out: 0, cost: 0.0, exit: 0}
