// A small corpus as a finished second run leaves it, with a third one begun
// params: corpus, vectors
MERGE (k:Corpus {key: $corpus})
SET k += {name: $corpus, corpus: $corpus, created: datetime(), schema: 1, dimension: 4,
  embedder: 'hash', mode: 'offline', settings_chunk: 'c1', topology: 5, clustered: 5, next: 3, generation: 2, labelled: 2, swept: 1}
CREATE (:Run {key: $corpus + '/run1', corpus: $corpus, name: 'run1'})

CREATE (d1:Document:Document___corpus__ {key: $corpus + '/docs/a.txt', corpus: $corpus, uri: 'docs/a.txt', root: '/somewhere/' + $corpus,
  title: 'Christmas', sha256: 'aa', mime: 'text/plain', date: '1843-12-19', n_tokens: 40, terms: 'scroog marley dead door', lead: 'christma 1843', passages: 2})
CREATE (d2:Document:Document___corpus__ {key: $corpus + '/docs/b.txt', corpus: $corpus, uri: 'docs/b.txt', root: '/somewhere/' + $corpus,
  title: 'Ledger', sha256: 'bb', mime: 'text/plain', n_tokens: 10, terms: 'ledger cratchit', lead: 'ledger', passages: 1})
CREATE (d1)-[:IN_CORPUS]->(k), (d2)-[:IN_CORPUS]->(k)

CREATE (c1:Chunk:Chunk___corpus__ {key: $corpus + '/c1', corpus: $corpus, name: 'docs/a.txt 0', text: 'Marley was dead: Scrooge knew.', index: 0, n_tokens: 7,
  start: 0, end: 30, embedding: $vectors[0], embed_fp: 'e1', extract_fp: 'x1', extract_sum: 's1'})
CREATE (c2:Chunk:Chunk___corpus__ {key: $corpus + '/c2', corpus: $corpus, name: 'docs/a.txt 1', text: 'Scrooge saw the door.', index: 1, n_tokens: 5,
  start: 30, end: 51, embedding: $vectors[1], embed_fp: 'e2', extract_fp: 'x2', extract_sum: 's2'})
CREATE (c3:Chunk:Chunk___corpus__ {key: $corpus + '/c3', corpus: $corpus, name: 'docs/b.txt 0', text: 'Größe: Cratchit kept the ledger.', index: 0, n_tokens: 6,
  start: 0, end: 34, embed_fp: 'e3', todo_extract: $corpus, extract_error: 'the model timed out'})
CREATE (c1)-[:PART_OF]->(d1), (c2)-[:PART_OF]->(d1), (c3)-[:PART_OF]->(d2)
CREATE (d1)-[:FIRST_CHUNK]->(c1), (c1)-[:NEXT_CHUNK]->(c2), (d2)-[:FIRST_CHUNK]->(c3)
CREATE (c1)-[:HAS_PASSAGE]->(:Passage:Passage___corpus__ {key: $corpus + '/p1', corpus: $corpus, name: 'docs/a.txt 0', terms: 'christma 1843 marley dead scroog', pairs: 'dead_marley marley_scroog', start: 0, end: 30})
CREATE (c2)-[:HAS_PASSAGE]->(:Passage:Passage___corpus__ {key: $corpus + '/p2', corpus: $corpus, name: 'docs/a.txt 30', terms: 'christma 1843 scroog door', pairs: 'door_scroog', start: 0, end: 21})
CREATE (c3)-[:HAS_PASSAGE]->(:Passage:Passage___corpus__ {key: $corpus + '/p3', corpus: $corpus, name: 'docs/b.txt 0', terms: 'ledger cratchit', pairs: 'cratchit_ledger', start: 9, end: 17})
CREATE (c1)-[:HAS_QUERY]->(q:Query:Query___corpus__ {key: $corpus + '/q1', corpus: $corpus, name: 'Who is dead?', text: 'Who is dead?', answer: 'Marley.', terms: 'dead', similarity: 0.9, kept: true, embedding: $vectors[0], embed_fp: 'qe'})
CREATE (c1)-[:HAS_SENTENCE]->(sn:Sentence {key: $corpus + '/s1', corpus: $corpus, name: 'docs/a.txt 0', text: 'Marley was dead: Scrooge knew.', start: 0, end: 30, embedding: $vectors[0], embed_fp: 'se'})
CREATE (q)-[:SIMILAR_QUERY {score: 1.0}]->(q), (d1)-[:SIMILAR_DOCUMENT {score: 0.5}]->(d2)

CREATE (e1:Entity:Entity___corpus__:Person:C0_0:C1_0 {key: $corpus + '/scrooge', corpus: $corpus, name: 'Scrooge', type: 'person', type_label: 'Person', description: 'A miser.', terms: 'scroog miser', n_tokens: 5,
  degree: 2, frequency: 2, embedding: $vectors[0], embed_fp: 'ee1', derive_fp: 'd', describe_fp: 'd', communities: [0, 0], community: 'C0_0', labels_set: ['C0_0', 'C1_0']})
CREATE (e2:Entity:Entity___corpus__:Person:C0_0:C1_0 {key: $corpus + '/marley', corpus: $corpus, name: 'Marley', type: 'person', type_label: 'Person', description: 'Dead.', terms: 'marley dead', n_tokens: 4,
  degree: 1, frequency: 1, embedding: $vectors[1], embed_fp: 'ee2', derive_fp: 'd', describe_fp: 'd', communities: [0, 0], community: 'C0_0', labels_set: ['C0_0', 'C1_0']})
CREATE (e3:Entity:Entity___corpus__:C0_0:C1_1 {key: $corpus + '/door', corpus: $corpus, name: 'The Door', type: 'concept', description: 'A door.', terms: 'door', n_tokens: 4,
  degree: 1, frequency: 1, embedding: $vectors[2], embed_fp: 'ee3', derive_fp: 'd', describe_fp: 'd', communities: [0, 1], community: 'C0_0', labels_set: ['C0_0', 'C1_1']})
CREATE (e4:Entity:Entity___corpus__ {key: $corpus + '/bob/cratchit', corpus: $corpus, name: 'Bob/Cratchit', type: 'unknown', description: '', terms: 'bob cratchit', n_tokens: 3,
  degree: 0, frequency: 1, todo_describe: $corpus, todo_embed: $corpus, embed_error: 'refused', derive_fp: 'd'})
CREATE (sn)-[:NAMES]->(e2), (e1)-[:SYNONYM {score: 0.9}]->(e2)
CREATE (r1:Relationship:Relationship___corpus__ {key: $corpus + '/r1', corpus: $corpus, name: 'Marley — Scrooge', description: 'Partners.', keywords: ['business'], weight: 2, strength: 1500, terms: 'partner', n_tokens: 6,
  embedding: $vectors[0], embed_fp: 're1', derive_fp: 'd', describe_fp: 'd'})
CREATE (r2:Relationship:Relationship___corpus__ {key: $corpus + '/r2', corpus: $corpus, name: 'Door — Scrooge', description: 'He sees it.', keywords: [], weight: 1, strength: 500, terms: 'see', n_tokens: 6,
  embedding: $vectors[1], embed_fp: 're2', derive_fp: 'd', describe_fp: 'd'})
CREATE (r1)-[:SOURCE]->(e2), (r1)-[:TARGET]->(e1), (r2)-[:SOURCE]->(e3), (r2)-[:TARGET]->(e1)
CREATE (e2)-[:RELATED {key: $corpus + '/r1', weight: 2, description: 'Partners.'}]->(e1), (e3)-[:RELATED {key: $corpus + '/r2', weight: 1, description: 'He sees it.'}]->(e1)
CREATE (c1)-[:MENTIONS {names: ['Scrooge'], types: ['person'], descriptions: ['A miser.']}]->(e1),
  (c2)-[:MENTIONS {names: ['Scrooge', 'Scrooge'], types: ['person', 'person'], descriptions: ['A miser.', 'Old.']}]->(e1),
  (c1)-[:MENTIONS {names: ['Marley'], types: ['person'], descriptions: ['Dead.']}]->(e2),
  (c2)-[:MENTIONS {names: ['The Door'], types: ['concept'], descriptions: ['A door.']}]->(e3),
  (c3)-[:MENTIONS {names: ['Bob/Cratchit'], types: ['unknown'], descriptions: ['']}]->(e4),
  (c1)-[:MENTIONS {descriptions: ['Partners.', 'Partners.'], keywords: ['business'], strength: 1500, count: 2, forward: 1}]->(r1),
  (c2)-[:MENTIONS {descriptions: ['He sees it.'], keywords: [], strength: 500, count: 1, forward: 0}]->(r2)
CREATE (c1)-[:STATES]->(l:Claim:Claim___corpus__ {key: $corpus + '/l1', corpus: $corpus, name: 'MARLEY', type: 'death', status: 'TRUE', description: 'Marley is dead.',
  start_date: '', end_date: '', source_text: 'Marley was dead', subject: 'MARLEY', object: 'Scrooge', terms: 'marley dead', n_tokens: 5})
CREATE (l)-[:SUBJECT]->(e2), (l)-[:OBJECT]->(e1)

CREATE (g0:Community {key: $corpus + '/g0', corpus: $corpus, name: 'C0_0', level: 0, ordinal: 0, label: 'C0_0', size: 3, weight: 3, since: 1, report_fp: 'f0'})
CREATE (g1:Community {key: $corpus + '/g1', corpus: $corpus, name: 'C1_0', level: 1, ordinal: 0, label: 'C1_0', size: 2, weight: 2, since: 2, report_fp: 'f1'})
CREATE (g2:Community {key: $corpus + '/g2', corpus: $corpus, name: 'C1_1', level: 1, ordinal: 1, label: 'C1_1', size: 1, weight: 0, since: 2, report_fp: 'f2', todo_report: $corpus, report_error: 'no answer'})
CREATE (old:Community {key: $corpus + '/gold', corpus: $corpus, name: 'C1_0', level: 1, ordinal: 0, label: 'C1_0', size: 3, weight: 3, since: 1, until: 2, gone: $corpus})
CREATE (new:Community {key: $corpus + '/gnew', corpus: $corpus, name: 'C1_2', level: 1, ordinal: 2, label: 'C1_2', size: 1, weight: 0, since: 3})
CREATE (g1)-[:PARENT_COMMUNITY {since: 2}]->(g0), (g2)-[:PARENT_COMMUNITY {since: 2}]->(g0), (old)-[:PARENT_COMMUNITY {since: 1, until: 2}]->(g0)
CREATE (e1)-[:IN_COMMUNITY {level: 0, since: 1}]->(g0), (e2)-[:IN_COMMUNITY {level: 0, since: 1}]->(g0), (e3)-[:IN_COMMUNITY {level: 0, since: 1}]->(g0),
  (e1)-[:IN_COMMUNITY {level: 1, since: 2}]->(g1), (e2)-[:IN_COMMUNITY {level: 1, since: 2}]->(g1), (e3)-[:IN_COMMUNITY {level: 1, since: 2}]->(g2),
  (e1)-[:IN_COMMUNITY {level: 1, since: 1, until: 2}]->(old), (e3)-[:IN_COMMUNITY {level: 1, since: 3}]->(new)
CREATE (p0:Report:Report___corpus__ {key: $corpus + '/p0-2', corpus: $corpus, title: 'A counting house', level: 0, final: false, size: 3, weight: 3, summary: 'All [1].', full_content: '# A counting house [1] [2]',
  rating: 6.5, rating_explanation: 'Much.', model: 'offline', n_tokens: 8, terms: 'count hous', embedding: $vectors[2], embed_fp: 'pe0', since: 2})
CREATE (p1:Report:Report___corpus__ {key: $corpus + '/p1-2', corpus: $corpus, title: 'Partners', level: 1, final: true, size: 2, weight: 2, summary: 'Two [1].', full_content: '# Partners [1]',
  rating: 5.0, rating_explanation: 'Some.', model: 'offline', n_tokens: 6, terms: 'partner', embedding: $vectors[0], embed_fp: 'pe1', since: 2})
CREATE (pold:Report:Report___corpus__ {key: $corpus + '/p1-1', corpus: $corpus, title: 'Old partners', level: 1, final: true, size: 3, weight: 3, summary: 'Old.', full_content: '# Old',
  rating: 5.0, rating_explanation: 'Some.', model: 'offline', n_tokens: 6, terms: 'partner old', embedding: $vectors[0], embed_fp: 'pe1', since: 1, until: 2, gone: $corpus})
CREATE (pnew:Report:Report___corpus__ {key: $corpus + '/pnew-3', corpus: $corpus, title: 'New', level: 1, final: true, size: 1, weight: 0, summary: 'New.', full_content: '# New',
  rating: 5.0, rating_explanation: 'Some.', model: 'offline', n_tokens: 6, terms: 'partner new', embedding: $vectors[0], embed_fp: 'pe1', since: 3})
CREATE (g0)-[:HAS_REPORT]->(p0), (g1)-[:HAS_REPORT]->(p1), (old)-[:HAS_REPORT]->(pold), (new)-[:HAS_REPORT]->(pnew)
CREATE (p0)-[:HAS_FINDING]->(f0:Finding {key: $corpus + '/f0', corpus: $corpus, name: 'First', summary: 'First', explanation: 'Because [2].', order: 0}),
  (p0)-[:HAS_FINDING]->(f1:Finding {key: $corpus + '/f1', corpus: $corpus, name: 'Second', summary: 'Second', explanation: 'So.', order: 1}),
  (pold)-[:HAS_FINDING]->(:Finding {key: $corpus + '/f2', corpus: $corpus, name: 'Old', summary: 'Old', explanation: 'So.', order: 0})
CREATE (p0)-[:CITES {n: 1}]->(p1), (p0)-[:CITES {n: 2}]->(e1), (f0)-[:CITES {n: 2}]->(e1), (p1)-[:CITES {n: 1}]->(l), (p0)-[:CITES {n: 3}]->(c1)
CREATE (g0)-[:HAS_REPORT]->(p0old:Report:Report___corpus__ {key: $corpus + '/p0-1', corpus: $corpus, title: 'An older house', level: 0, final: false, size: 3, weight: 3, summary: 'Old.',
  full_content: '# Older', rating: 5.0, rating_explanation: 'Some.', model: 'offline', n_tokens: 6, terms: 'older hous', since: 1, until: 2, gone: $corpus})
CREATE (f1)-[:CITES {n: 5}]->(p0old), (f1)-[:CITES {n: 6}]->(pold)
