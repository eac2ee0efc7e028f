// Number of edges of all corpora
// params:
// returns: n int
CYPHER 5
MATCH ()-[r:RELATED]->()
RETURN count(r) AS n
