// Checks: incomplete documents
// params: corpus, check, after, limit
// about: Documents that were not written completely, do not belong to the corpus, or do not have as many passages as were written.
// param: check whole 5000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: all documents are complete
MATCH (d:Document)
WHERE d.key > $corpus + '/' + $after AND d.key < $corpus + '0' AND d.corpus = $corpus
WITH d ORDER BY d.key LIMIT $check
WITH d, COUNT { (d)<-[:PART_OF]-(:Chunk)-[:HAS_PASSAGE]->(:Passage) } AS passages, EXISTS { (d)-[:IN_CORPUS]->(:Corpus {key: $corpus}) } AS listed
WHERE d.sha256 IS NULL OR d.passages <> passages OR NOT listed
RETURN substring(d.key, size($corpus) + 1) AS id, d.uri AS document, d.sha256 IS NOT NULL AS finished, listed, d.passages AS passages_written, passages
LIMIT $limit
