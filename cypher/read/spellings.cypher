// Passages with terms that are spelled like one of a question, for terms that no passage has
// params: corpus, passage_index, searches, limit
// returns Spelling: term string, terms string, text string
UNWIND $searches AS search
CALL (search) {
  CALL db.index.fulltext.queryNodes($passage_index, search.term, {limit: 1}) YIELD node
  RETURN count(node) AS found
}
WITH search WHERE found = 0
CALL (search) {
  CALL db.index.fulltext.queryNodes($passage_index, search.similar, {limit: $limit}) YIELD node
  MATCH (c:Chunk)-[:HAS_PASSAGE]->(node) WHERE node.corpus = $corpus
  RETURN node.key AS key, node.terms AS terms, c.text AS text
}
RETURN search.term AS term, terms, text
ORDER BY term, key
