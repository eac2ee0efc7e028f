// Marked nodes of each stage
// params: corpus
// returns: stage string, pending int
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_extract, key)
WHERE n.todo_extract = $corpus AND n.key > ''
RETURN 'extract' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_derive, key)
WHERE n.todo_derive = $corpus AND n.key > ''
RETURN 'derive' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Relationship) USING INDEX SEEK n:Relationship(todo_derive, key)
WHERE n.todo_derive = $corpus AND n.key > ''
RETURN 'derive' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_describe, key)
WHERE n.todo_describe = $corpus AND n.key > ''
RETURN 'describe' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Relationship) USING INDEX SEEK n:Relationship(todo_describe, key)
WHERE n.todo_describe = $corpus AND n.key > ''
RETURN 'describe' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > ''
RETURN 'embed' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > ''
RETURN 'embed' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Relationship) USING INDEX SEEK n:Relationship(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > ''
RETURN 'embed' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Report) USING INDEX SEEK n:Report(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > ''
RETURN 'embed' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Sentence) USING INDEX SEEK n:Sentence(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > ''
RETURN 'embed' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_sentences, key)
WHERE n.todo_sentences = $corpus AND n.key > ''
RETURN 'sentences' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_synonyms, key)
WHERE n.todo_synonyms = $corpus AND n.key > ''
RETURN 'synonyms' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Document) USING INDEX SEEK n:Document(todo_documents, key)
WHERE n.todo_documents = $corpus AND n.key > ''
RETURN 'documents' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Community) USING INDEX SEEK n:Community(todo_report, key)
WHERE n.todo_report = $corpus AND n.key > ''
RETURN 'report' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_queries, key)
WHERE n.todo_queries = $corpus AND n.key > ''
RETURN 'queries' AS stage, count(n) AS pending
UNION ALL
MATCH (n:Query) USING INDEX SEEK n:Query(todo_link, key)
WHERE n.todo_link = $corpus AND n.key > ''
RETURN 'link' AS stage, count(n) AS pending
