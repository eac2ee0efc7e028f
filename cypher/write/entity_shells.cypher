// Create the entities that chunks mention, and mark them to be derived
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MERGE (e:Entity {key: row.key})
ON CREATE SET e:$('Entity_' + $corpus), e.corpus = $corpus, e.name = row.name
SET e.todo_derive = $corpus
RETURN count(*) AS n
