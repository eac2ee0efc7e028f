// Reports for a benchmark, with findings and citations
// params: corpus, rows
UNWIND $rows AS row
MATCH (c:Community {key: row.community})
CREATE (r:Report:Report___corpus__ {key: row.key, corpus: $corpus, since: 1, level: c.level, final: NOT EXISTS { (c)<-[:PARENT_COMMUNITY]-() }, size: c.size, weight: c.weight, model: 'made'})
SET r += row.set
CREATE (c)-[:HAS_REPORT]->(r)
WITH r, row
UNWIND row.findings AS finding
MATCH (x:Entity {key: finding.cites})
CREATE (f:Finding {key: finding.key, corpus: $corpus, name: finding.summary, summary: finding.summary, explanation: finding.explanation, order: finding.order})
CREATE (r)-[:HAS_FINDING]->(f)
CREATE (f)-[:CITES {n: finding.order + 1}]->(x)
CREATE (r)-[:CITES {n: finding.order + 1}]->(x)
