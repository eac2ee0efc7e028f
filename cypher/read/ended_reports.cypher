// How many reports ended with a generation or before
// params: corpus, generation
MATCH (r:Report) USING INDEX SEEK r:Report(gone, key)
WHERE r.gone = $corpus AND r.key > '' AND r.until <= $generation
RETURN count(r) AS n
