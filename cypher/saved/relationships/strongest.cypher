// Relationships: the strongest
// params: limit
// about: The relationships that are mentioned most often, with their keywords.
// param: limit whole 25: maximum number of rows
// scan: no index is ordered by weight; only the corpus' own relationships are read
MATCH (r:Relationship___corpus__)
WITH r.weight AS weight ORDER BY weight DESC LIMIT $limit
WITH min(weight) AS least
MATCH (r:Relationship___corpus__) WHERE r.weight >= least
WITH r ORDER BY r.weight DESC, r.strength DESC, r.key LIMIT $limit
RETURN r.name AS relationship, r.weight AS weight, r.strength / 100.0 AS strength, r.keywords[..5] AS keywords, left(r.description, 200) AS description
