// Entities, relationships, claims, visible reports and queries by terms
// params: corpus, lucene, kinds, limit
// returns Hit: key string?, owner string?, document string?, score float
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
CALL db.index.fulltext.queryNodes('terms_' + $corpus, $lucene) YIELD node, score
WITH g, node, score
WHERE node.corpus = $corpus
  AND any(label IN labels(node) WHERE label IN $kinds)
  AND (node.since IS NULL OR node.since <= g AND coalesce(node.until, 9007199254740992) > g)
WITH node, score
LIMIT $limit
CALL (node) {
  OPTIONAL MATCH (owner)-[:STATES|HAS_REPORT|HAS_QUERY]->(node)
  RETURN owner ORDER BY owner.key LIMIT 1
}
OPTIONAL MATCH (owner)-[:PART_OF]->(d:Document)
RETURN node.key AS key, owner.key AS owner, d.key AS document, score
