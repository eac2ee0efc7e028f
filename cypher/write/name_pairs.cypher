// Pairs of names that a model was asked about
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MERGE (p:NamePair {key: row.key})
SET p.corpus = $corpus, p.a = row.a, p.b = row.b, p.same = row.same
RETURN count(*) AS n
