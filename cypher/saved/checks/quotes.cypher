// Checks: claims whose quote is not in the text
// params: corpus, check, after, limit
// about: Claims whose source text is not in a chunk that states them, and that are not marked as absent, which is how words that a model invented are stored.
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: all quotes are in the text
MATCH (k:Claim)
WHERE k.key > $corpus + '/' + $after AND k.key < $corpus + '0' AND k.corpus = $corpus
WITH k ORDER BY k.key LIMIT $check
WITH k WHERE k.absent IS NULL AND NOT EXISTS { MATCH (c:Chunk)-[:STATES]->(k) WHERE c.text CONTAINS k.source_text }
RETURN substring(k.key, size($corpus) + 1) AS id, k.subject AS subject, k.description AS claim, k.source_text AS words
LIMIT $limit
