// A page of entities in key order, with the chunks that mention each most and its name there
// params: corpus, after, end, limit, supports
// returns Mentions: key string? > Entity, mentions []Mention{chunk string?, name string?} > Chunks
MATCH (e:Entity)
WHERE e.key > $after AND e.key < $end AND e.corpus = $corpus
WITH e ORDER BY e.key LIMIT $limit
RETURN e.key AS key, COLLECT {
  MATCH (c:Chunk)-[m:MENTIONS]->(e)
  WITH c, m, size(m.names) AS records ORDER BY records DESC, c.key LIMIT $supports
  RETURN {chunk: c.key, name: m.names[0]}
} AS mentions
ORDER BY e.key
