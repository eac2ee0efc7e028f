// Before chunks that stay get other headings, or their document another title: mark the communities of what they mention to be reported
// params: corpus, rows
UNWIND $rows AS row
MATCH (c:Chunk {key: row.key})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
WHERE coalesce(c.headings, []) <> row.headings OR coalesce(d.title, '') <> row.title
MATCH (c)-[:MENTIONS]->(:Entity)-[:IN_COMMUNITY]->(k)
SET k.todo_report = $corpus
