// Labels that entities have by their type
// params:
// scan: no index holds them; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE e.type_label IS NOT NULL
RETURN DISTINCT e.type_label AS label
ORDER BY label
