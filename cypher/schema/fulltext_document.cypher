// Documents of a corpus by all their terms
// params: name
CREATE FULLTEXT INDEX $name IF NOT EXISTS FOR (n:Document___corpus__) ON EACH [n.terms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
