// Remove the properties that a stage wrote to a page of the nodes of a kind, and their marks
// params: corpus, after, end, limit, set
// returns: as write/mark_all
// for: as schema/todo
MATCH (n:__Kind__)
WHERE n.key > $after AND n.key < $end AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $limit
WITH count(n) AS seen, max(n.key) AS last, [x IN collect(n) WHERE x.todo___stage__ IS NOT NULL OR any(name IN keys($set) WHERE x[name] IS NOT NULL)] AS made
FOREACH (n IN made | SET n += $set REMOVE n.todo___stage__, n.__stage___error)
RETURN seen, last, size(made) AS marked
