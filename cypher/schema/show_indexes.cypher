// All indexes with what they stand on
// params:
SHOW INDEXES YIELD name, type, state, populationPercent, entityType, labelsOrTypes, properties, options, owningConstraint
RETURN name, type, state, populationPercent, entityType, labelsOrTypes, properties, options, owningConstraint
ORDER BY name
