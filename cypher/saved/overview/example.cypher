// Overview: an example of each kind of node
// params: corpus, document
// about: The schema by example: a document, its first chunk, and one node of each kind that is connected to it.
// param: document text read/default_document: use the document with this URI, as documents/list shows it
// draws
MATCH (d:Document) USING INDEX SEEK d:Document(key)
WHERE d.key IN [$document, $corpus + '/' + $document] AND d.corpus = $corpus
MATCH (d)-[:FIRST_CHUNK]->(c:Chunk)
MATCH (d)-[:IN_CORPUS]->(k:Corpus)
WITH d, c, coalesce(k.generation, 0) AS g
CALL (d, c, g) {
  MATCH p = (c)-[:PART_OF]->(d)-[:IN_CORPUS]->(:Corpus)
  RETURN p LIMIT 1
  UNION ALL
  MATCH p = (d)-[:FIRST_CHUNK]->(c)-[:NEXT_CHUNK]->(:Chunk)
  RETURN p LIMIT 1
  UNION ALL
  MATCH p = (c)-[:HAS_PASSAGE]->(:Passage)
  RETURN p LIMIT 1
  UNION ALL
  MATCH p = (c)-[:STATES]->(:Claim)-[:SUBJECT]->(:Entity)
  RETURN p LIMIT 1
  UNION ALL
  MATCH p = (c)-[:MENTIONS]->(r:Relationship)-[:SOURCE]->(:Entity)<-[:MENTIONS]-(c)
  RETURN p LIMIT 1
  UNION ALL
  MATCH p = (c)-[:MENTIONS]->(r:Relationship)-[:TARGET]->(:Entity)
  RETURN p LIMIT 1
  UNION ALL
  MATCH p = (c)-[:MENTIONS]->(:Entity)-[m:IN_COMMUNITY]->(:Community)-[:HAS_REPORT]->(r:Report)-[:HAS_FINDING]->(:Finding)-[:CITES]->()
  WHERE m.since <= g AND coalesce(m.until, 9007199254740992) > g
    AND r.since <= g AND coalesce(r.until, 9007199254740992) > g
  RETURN p LIMIT 1
}
RETURN p
