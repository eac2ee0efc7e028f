// Communities for a benchmark, parents first
// params: corpus, rows
UNWIND $rows AS row
CREATE (c:Community {key: row.key, corpus: $corpus, since: 1, report_fp: 'made'})
SET c += row.set
WITH c, row
OPTIONAL MATCH (p:Community {key: row.parent})
FOREACH (parent IN CASE WHEN p IS NULL THEN [] ELSE [p] END | CREATE (c)-[:PARENT_COMMUNITY {since: 1}]->(parent))
