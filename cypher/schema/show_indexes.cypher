// Indexes with their labels and properties: all, those that may belong to a corpus, or for '' those that all corpora share
// params: of
// returns: name string, type string, state string?, populationPercent float?, entityType string? > _, labelsOrTypes []string?, properties []string?, options properties?, owningConstraint string?
SHOW INDEXES YIELD name, type, state, populationPercent, entityType, labelsOrTypes, properties, options, owningConstraint
WHERE $of IS NULL
  OR ($of = '' AND (type = 'RANGE' OR none(label IN labelsOrTypes WHERE label CONTAINS '_')))
  OR ($of <> '' AND (name ENDS WITH '_' + $of OR any(label IN labelsOrTypes WHERE label ENDS WITH '_' + $of)))
RETURN name, type, state, populationPercent, entityType, labelsOrTypes, properties, options, owningConstraint
ORDER BY name
