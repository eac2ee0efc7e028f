// Numbers of entities and claims of which no chunk holds the name or the quote
// params:
// returns AbsentCounts: entities int, claims int
// scan: walks the corpus' own entities and claims; few have the property, and only neorag status asks
RETURN
  COUNT { MATCH (e:Entity___corpus__) WHERE e.absent } AS entities,
  COUNT { MATCH (k:Claim___corpus__) WHERE k.absent } AS claims
