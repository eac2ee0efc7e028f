// Tokens of the documents of each language, most first
// params: corpus
// returns: language string, tokens int
MATCH (d:Document)
WHERE d.key > $corpus + '/' AND d.key < $corpus + '0'
RETURN coalesce(d.language, '') AS language, sum(coalesce(d.n_tokens, 0)) AS tokens
ORDER BY tokens DESC, language
