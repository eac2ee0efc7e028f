// Passages of a corpus by word pairs
// params:
CREATE FULLTEXT INDEX pairs___corpus__ IF NOT EXISTS FOR (n:Passage___corpus__) ON EACH [n.pairs]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
