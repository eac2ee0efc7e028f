// Marked nodes that a stage could not process, with the reason
// params: corpus, limit
// returns Failed: key string?, stage string, reason string?
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_extract, key)
WHERE n.todo_extract = $corpus AND n.key > '' AND n.extract_error IS NOT NULL
RETURN n.key AS key, 'extract' AS stage, n.extract_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_derive, key)
WHERE n.todo_derive = $corpus AND n.key > '' AND n.derive_error IS NOT NULL
RETURN n.key AS key, 'derive' AS stage, n.derive_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Relationship) USING INDEX SEEK n:Relationship(todo_derive, key)
WHERE n.todo_derive = $corpus AND n.key > '' AND n.derive_error IS NOT NULL
RETURN n.key AS key, 'derive' AS stage, n.derive_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_describe, key)
WHERE n.todo_describe = $corpus AND n.key > '' AND n.describe_error IS NOT NULL
RETURN n.key AS key, 'describe' AS stage, n.describe_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Relationship) USING INDEX SEEK n:Relationship(todo_describe, key)
WHERE n.todo_describe = $corpus AND n.key > '' AND n.describe_error IS NOT NULL
RETURN n.key AS key, 'describe' AS stage, n.describe_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > '' AND n.embed_error IS NOT NULL
RETURN n.key AS key, 'embed' AS stage, n.embed_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > '' AND n.embed_error IS NOT NULL
RETURN n.key AS key, 'embed' AS stage, n.embed_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Relationship) USING INDEX SEEK n:Relationship(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > '' AND n.embed_error IS NOT NULL
RETURN n.key AS key, 'embed' AS stage, n.embed_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Report) USING INDEX SEEK n:Report(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > '' AND n.embed_error IS NOT NULL
RETURN n.key AS key, 'embed' AS stage, n.embed_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Sentence) USING INDEX SEEK n:Sentence(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > '' AND n.embed_error IS NOT NULL
RETURN n.key AS key, 'embed' AS stage, n.embed_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_sentences, key)
WHERE n.todo_sentences = $corpus AND n.key > '' AND n.sentences_error IS NOT NULL
RETURN n.key AS key, 'sentences' AS stage, n.sentences_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_synonyms, key)
WHERE n.todo_synonyms = $corpus AND n.key > '' AND n.synonyms_error IS NOT NULL
RETURN n.key AS key, 'synonyms' AS stage, n.synonyms_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Document) USING INDEX SEEK n:Document(todo_documents, key)
WHERE n.todo_documents = $corpus AND n.key > '' AND n.documents_error IS NOT NULL
RETURN n.key AS key, 'documents' AS stage, n.documents_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Community) USING INDEX SEEK n:Community(todo_report, key)
WHERE n.todo_report = $corpus AND n.key > '' AND n.report_error IS NOT NULL
RETURN n.key AS key, 'report' AS stage, n.report_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_queries, key)
WHERE n.todo_queries = $corpus AND n.key > '' AND n.queries_error IS NOT NULL
RETURN n.key AS key, 'queries' AS stage, n.queries_error AS reason LIMIT $limit
UNION ALL
MATCH (n:Query) USING INDEX SEEK n:Query(todo_link, key)
WHERE n.todo_link = $corpus AND n.key > '' AND n.link_error IS NOT NULL
RETURN n.key AS key, 'link' AS stage, n.link_error AS reason LIMIT $limit
