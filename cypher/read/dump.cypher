// The dump of a kind in key order: its nodes, or the edges that leave them
// params: corpus, after, end, limit, generation, edges
// returns: cursor string?, id string?, labels []string?, properties properties?, edges []{type string?, labels []string, to string?, properties properties}
// Communities that an older version wrote have a property final, which nothing reads.
// for: Document, Chunk, Passage, Sentence, Query, Entity, Relationship, Claim, NamePair, Community
MATCH (n:__Kind__)
WHERE n.key > $after AND n.key < $end AND n.corpus = $corpus
  AND (n.since IS NULL OR n.since <= $generation AND coalesce(n.until, 9007199254740992) > $generation)
WITH n ORDER BY n.key LIMIT $limit
RETURN n.key AS cursor, n.key AS id, labels(n) AS labels,
  CASE WHEN NOT $edges THEN n {.*, embedding: null, name_vector: null, vector: null, embedding_d2q: null, embedding_d2q_kept: null, final: null, unfolded: null, next_ordinal: null, next_label: null} END AS properties,
  COLLECT {
    MATCH (n)-[r]->(m)
    WHERE $edges
      AND (r.since IS NULL OR r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation)
      AND (m.since IS NULL OR m.since <= $generation AND coalesce(m.until, 9007199254740992) > $generation)
    RETURN {type: type(r), labels: labels(m), to: CASE WHEN m:Report THEN n.key ELSE m.key END, properties: properties(r)}
  } AS edges
ORDER BY n.key
