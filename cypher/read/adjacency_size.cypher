// Number of edges of all corpora
// params:
CYPHER 5
MATCH ()-[r:RELATED]->()
RETURN count(r) AS n
