// Checks: nodes and edges that belong to nothing
// params: corpus, check, after, limit
// about: Passages, sentences and question-answer pairs without chunk, reports without community, findings without report, and edges RELATED without relationship.
// param: check whole 10000: check at most N nodes of each kind, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows of each kind
// empty: everything belongs to something
MATCH (n:Passage)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT EXISTS { (n)<-[:HAS_PASSAGE]-(:Chunk) }
RETURN 'Passage' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name, null AS edge
LIMIT $limit
UNION ALL
MATCH (n:Query)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT EXISTS { (n)<-[:HAS_QUERY]-(:Chunk) }
RETURN 'Query' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name, null AS edge
LIMIT $limit
UNION ALL
MATCH (n:Sentence)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT EXISTS { (n)<-[:HAS_SENTENCE]-(:Chunk) }
RETURN 'Sentence' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name, null AS edge
LIMIT $limit
UNION ALL
MATCH (n:Report)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT EXISTS { (n)<-[:HAS_REPORT]-(:Community) }
RETURN 'Report' AS kind, substring(n.key, size($corpus) + 1) AS id, n.title AS name, null AS edge
LIMIT $limit
UNION ALL
MATCH (n:Finding)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
WITH n WHERE NOT EXISTS { (n)<-[:HAS_FINDING]-(:Report) }
RETURN 'Finding' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name AS name, null AS edge
LIMIT $limit
UNION ALL
MATCH (n:Entity)
WHERE n.key > $corpus + '/' + $after AND n.key < $corpus + '0' AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $check
MATCH (n)-[x:RELATED]->(t)
WHERE NOT EXISTS { (n)<-[:SOURCE|TARGET]-(r:Relationship) WHERE r.key = x.key }
RETURN 'edge' AS kind, substring(n.key, size($corpus) + 1) AS id, n.name + ' — ' + t.name AS name, x.key AS edge
LIMIT $limit
