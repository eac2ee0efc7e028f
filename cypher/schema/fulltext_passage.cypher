// Passages of a corpus by terms
// params:
CREATE FULLTEXT INDEX passage___corpus__ IF NOT EXISTS FOR (n:Passage___corpus__) ON EACH [n.terms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
