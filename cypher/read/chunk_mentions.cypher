// Everything extracted from chunks, as it was before names were folded if that is stored
// params: keys
// returns: chunk graph.Chunk{key string?, text string?}, document string?, unfolded string?,
//   entities []EntityMention{key string? > Entity, names []string?, types []string?, descriptions []string?, absent bool?, same []string?},
//   relationships []RelationshipMention{key string? > Relationship, source string?, target string?, descriptions []string?, keywords []string?, strength int?, count int?, forward int?},
//   claims []{key string?, subject string?, object string?, said graph.Claim{claim}, claim graph.Claim{claim}}
UNWIND $keys AS key
MATCH (c:Chunk {key: key})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
RETURN c {.key, .text} AS chunk, d.key AS document, c.unfolded AS unfolded,
  COLLECT { MATCH (c)-[m:MENTIONS]->(e:Entity) WHERE c.unfolded IS NULL RETURN m {.*, key: e.key} ORDER BY e.key } AS entities,
  COLLECT {
    MATCH (c)-[m:MENTIONS]->(r:Relationship)
    WHERE c.unfolded IS NULL
    MATCH (r)-[:SOURCE]->(s), (r)-[:TARGET]->(t)
    RETURN m {.*, key: r.key, source: s.key, target: t.key} ORDER BY r.key
  } AS relationships,
  COLLECT {
    MATCH (c)-[said:STATES]->(k:Claim)
    WHERE c.unfolded IS NULL
    MATCH (k)-[:SUBJECT]->(s)
    OPTIONAL MATCH (k)-[:OBJECT]->(o)
    RETURN {key: k.key, subject: s.key, object: o.key, said: properties(said),
      claim: k {.type, .status, .description, .source_text, .start_date, .end_date, .n_tokens, .subject, .object, .absent}} ORDER BY k.key
  } AS claims
