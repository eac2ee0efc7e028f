// Give communities the ordinals and labels that they have from the next generation on
// params: corpus, after, end, limit
// returns: n
MATCH (k:Community)
WHERE k.key > $after AND k.key < $end AND k.corpus = $corpus AND k.next_label IS NOT NULL
WITH k LIMIT $limit
SET k.ordinal = k.next_ordinal, k.label = k.next_label, k.name = k.next_label
REMOVE k.next_ordinal, k.next_label
RETURN count(*) AS n
