// Overview: the indexes of the corpus
// params: corpus
// about: The full-text and vector indexes of the corpus: their state, how far they are populated, and how often they were read.
SHOW INDEXES YIELD name, type, state, populationPercent, labelsOrTypes, properties, readCount, lastRead
WHERE any(label IN labelsOrTypes WHERE label ENDS WITH '_' + $corpus)
RETURN name, type, state, populationPercent AS percent, properties, readCount AS reads, lastRead AS last_read
ORDER BY name
