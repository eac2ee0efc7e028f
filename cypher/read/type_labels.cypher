// Type labels of entities
// params:
// returns: label string?
// scan: no index lists them; only the corpus' own entities are read
MATCH (e:Entity___corpus__)
WHERE e.type_label IS NOT NULL
RETURN DISTINCT e.type_label AS label
ORDER BY label
