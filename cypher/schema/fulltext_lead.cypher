// Documents of a corpus by their header terms
// params:
CREATE FULLTEXT INDEX lead___corpus__ IF NOT EXISTS FOR (n:Document___corpus__) ON EACH [n.lead]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
