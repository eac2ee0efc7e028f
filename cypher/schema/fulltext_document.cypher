// Documents of a corpus by all their terms
// params:
CREATE FULLTEXT INDEX document___corpus__ IF NOT EXISTS FOR (n:Document___corpus__) ON EACH [n.terms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
