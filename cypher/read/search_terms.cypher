// Candidates among entities, relationships, claims, reports and queries by their terms
// params: corpus, lucene, fetch, kinds
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
CALL db.index.fulltext.queryNodes('terms___corpus__', $lucene, {limit: $fetch}) YIELD node, score
WITH node, score, node.corpus = $corpus
  AND any(label IN labels(node) WHERE label IN $kinds)
  AND (node.since IS NULL OR node.since <= g AND coalesce(node.until, 9007199254740992) > g) AS wanted
OPTIONAL MATCH (owner)-[:STATES|HAS_REPORT|HAS_QUERY]->(node) WHERE wanted
OPTIONAL MATCH (owner)-[:PART_OF]->(d:Document)
RETURN node.key AS key, owner.key AS owner, d.key AS document, score, wanted
