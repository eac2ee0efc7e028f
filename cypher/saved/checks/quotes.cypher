// Checks: claims whose words are not in the text
// params: corpus, check, after, limit
// about: Claims whose source text does not stand in the chunk that states them: a model made the words up, or changed them.
// param: check whole 10000: how many are looked at
// param: after text '': id after which to go on, in the order of ids
// param: limit whole 50: rows at most
// empty: all words stand in the text
MATCH (k:Claim)
WHERE k.key > $corpus + '/' + $after AND k.key < $corpus + '0' AND k.corpus = $corpus
WITH k ORDER BY k.key LIMIT $check
MATCH (c:Chunk)-[:STATES]->(k)
WHERE NOT c.text CONTAINS k.source_text
RETURN substring(k.key, size($corpus) + 1) AS id, k.subject AS subject, k.description AS claim, k.source_text AS words
LIMIT $limit
