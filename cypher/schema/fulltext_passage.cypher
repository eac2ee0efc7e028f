// Passages of a corpus by terms
// params: name
CREATE FULLTEXT INDEX $name IF NOT EXISTS FOR (n:Passage___corpus__) ON EACH [n.terms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
