// Entities, relationships, claims, reports and queries of a corpus by terms
// params:
CREATE FULLTEXT INDEX terms___corpus__ IF NOT EXISTS FOR (n:Entity___corpus__|Relationship___corpus__|Claim___corpus__|Report___corpus__|Query___corpus__) ON EACH [n.terms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
