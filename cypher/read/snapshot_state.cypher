// What changes with every write to a corpus
// params: corpus
// returns: schema int, state string?
MATCH (k:Corpus {key: $corpus})
OPTIONAL MATCH (l:Lease {key: $corpus})
RETURN coalesce(k.schema, 0) AS schema,
  toString(k.created) + ' ' + coalesce(k.topology, 0) + ' ' + coalesce(k.generation, 0) + ' ' + coalesce(l.token, 0) + ' ' + coalesce(l.writes, 0) AS state
