//go:build unix

package cli_test

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// breakages damage a corpus for queries that show problems: each statement breaks
// one thing, and the query must then return more rows.
var breakages = []struct{ query, statement string }{
	{"checks/pending", "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 SET c.todo_embed = $corpus"},
	{"checks/failed", "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 SET c.todo_extract = $corpus, c.extract_error = 'refused'"},
	{"checks/failed", "MATCH (c:Community {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 SET c.todo_report = $corpus, c.report_error = 'refused'"},
	{"checks/labels", "MATCH (e:Entity:C0_0 {corpus: $corpus}) WITH e ORDER BY e.key LIMIT 1 REMOVE e:C0_0"},
	{"checks/labels", "MATCH (e:Entity:C0_0 {corpus: $corpus}) WITH e ORDER BY e.key LIMIT 1 SET e:C0_77"},
	{"checks/labels", "MATCH (e:Entity:C0_1 {corpus: $corpus}) WITH e ORDER BY e.key LIMIT 1 SET e.communities = [99]"},
	{"checks/labels", "MATCH (e:Entity:C0_2 {corpus: $corpus}) WITH e ORDER BY e.key LIMIT 1 SET e.community = 'C0_99'"},
	{"checks/labels", "MATCH (e:Entity:C0_3 {corpus: $corpus})-[m:IN_COMMUNITY]->(:Community) WITH m ORDER BY e.key LIMIT 1 DELETE m"},
	{"checks/weights", "MATCH (r:Relationship {corpus: $corpus}) WITH r ORDER BY r.key LIMIT 1 SET r.weight = r.weight + 1"},
	{"checks/weights", "MATCH (r:Relationship {corpus: $corpus}) WITH r ORDER BY r.key SKIP 1 LIMIT 1 SET r.strength = r.strength + 1"},
	{"checks/weights", "MATCH (r:Relationship {corpus: $corpus})-[:SOURCE]->()-[x:RELATED {key: r.key}]->() WITH r, x ORDER BY r.key SKIP 2 LIMIT 1 DELETE x"},
	{"checks/weights", "MATCH (r:Relationship {corpus: $corpus})-[:SOURCE]->()-[x:RELATED {key: r.key}]->() WITH r, x ORDER BY r.key SKIP 3 LIMIT 1 SET x.weight = 77"},
	{"checks/weights", "MATCH (r:Relationship {corpus: $corpus})<-[m:MENTIONS]-() WITH r, m ORDER BY r.key DESC LIMIT 1 DELETE m"},
	{"checks/degrees", "MATCH (e:Entity {corpus: $corpus}) WITH e ORDER BY e.degree DESC, e.key LIMIT 1 SET e.degree = e.degree + 1"},
	{"checks/degrees", "MATCH (e:Entity {corpus: $corpus})<-[m:MENTIONS]-() WITH m ORDER BY e.key DESC LIMIT 1 DELETE m"},
	{"checks/reports", "MATCH (c:Community {corpus: $corpus}) WITH c ORDER BY c.key SKIP 1 LIMIT 1 REMOVE c.report_fp"},
	{"checks/reports", "MATCH (c:Community {corpus: $corpus})-[h:HAS_REPORT]->() WITH h ORDER BY c.key SKIP 2 LIMIT 1 DELETE h"},
	{"checks/reports", "MATCH (c:Community {corpus: $corpus}) WITH c ORDER BY c.key SKIP 3 LIMIT 1 SET c.todo_report = $corpus"},
	{"checks/reports", "MATCH (c:Community {corpus: $corpus})-[:HAS_REPORT]->(r) WITH r ORDER BY c.key SKIP 4 LIMIT 1 MATCH (r)-[x:CITES]->() DELETE x"},
	{"checks/order", "MATCH (c:Chunk {corpus: $corpus})-[n:NEXT_CHUNK]->() WITH n ORDER BY c.key LIMIT 1 DELETE n"},
	{"checks/order", "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.index DESC, c.key LIMIT 1 SET c.index = 99"},
	{"checks/ends", "MATCH (r:Relationship {corpus: $corpus})-[s:SOURCE]->() WITH s ORDER BY r.key LIMIT 1 DELETE s"},
	{"checks/ends", "MATCH (c:Claim {corpus: $corpus})-[s:SUBJECT]->() WITH s ORDER BY c.key LIMIT 1 DELETE s"},
	{"checks/leftovers", "CREATE (:Community {key: $corpus + '/ended', corpus: $corpus, label: 'C0_98', name: 'C0_98', level: 0, ordinal: 98, size: 1, since: 0, until: 1})"},
	{"checks/leftovers", "CREATE (:Report {key: $corpus + '/ended', corpus: $corpus, title: 'ended', since: 0, until: 1})"},
	{"checks/vectors", "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 REMOVE c.embedding"},
	{"checks/vectors", "MATCH (r:Report {corpus: $corpus}) WHERE r.embedding IS NOT NULL WITH r ORDER BY r.key LIMIT 1 REMOVE r.embedding"},
	{"checks/vectors", "MATCH (s:Sentence {corpus: $corpus}) WITH s ORDER BY s.key LIMIT 1 REMOVE s.embedding"},
	{"checks/sentences", "MATCH (c:Chunk {corpus: $corpus})-[:HAS_SENTENCE]->(s) WITH s ORDER BY c.key, s.start LIMIT 1 DETACH DELETE s"},
	{"checks/sentences", "MATCH (c:Chunk {corpus: $corpus})-[:HAS_SENTENCE]->()-[n:NAMES]->() WITH n ORDER BY c.key DESC LIMIT 1 DELETE n"},
	{"checks/document_links", "MATCH (d:Document {corpus: $corpus}) WITH d ORDER BY d.key LIMIT 1 SET d.similar = d.similar + 1"},
	{"checks/synonyms", "MATCH (e:Entity {corpus: $corpus})-[r:SYNONYM]->() WITH r ORDER BY e.key LIMIT 1 DELETE r"},
	{"checks/synonyms", "MATCH (e:Entity {corpus: $corpus}) WITH e ORDER BY e.key DESC LIMIT 2 WITH collect(e) AS two WITH two[0] AS a, two[1] AS b MERGE (a)-[r:SYNONYM]->(b) ON CREATE SET r.score = .9"},
	{"checks/unfindable", "MATCH (s:Sentence {corpus: $corpus}) WITH s ORDER BY s.key SKIP 5 LIMIT 1 CALL (s) { REMOVE s:$('Sentence_' + $corpus) }"},
	{"checks/stray", "CREATE (s:Sentence {key: $corpus + '/alone', corpus: $corpus, name: 'He is alone.', text: 'He is alone.'}) SET s:$('Sentence_' + $corpus)"},
	{"checks/queries", "MATCH (q:Query {corpus: $corpus}) WITH q ORDER BY q.key LIMIT 1 REMOVE q.embedding"},
	{"checks/queries", "MATCH (q:Query {corpus: $corpus})-[r:SIMILAR_QUERY]->() WITH r ORDER BY q.key DESC LIMIT 1 DELETE r"},
	{"checks/queries", "MATCH (c:Chunk {corpus: $corpus})-[:HAS_QUERY]->(q) WITH q ORDER BY c.key SKIP 30 LIMIT 1 DETACH DELETE q"},
	{"checks/unfindable", "MATCH (q:Query {corpus: $corpus}) WITH q ORDER BY q.key SKIP 5 LIMIT 1 CALL (q) { REMOVE q:$('Query_' + $corpus) }"},
	{"checks/queries", "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key DESC LIMIT 1 SET c.queries = 3"},
	{"checks/stray", "CREATE (q:Query {key: $corpus + '/alone', corpus: $corpus, name: 'Who is alone?', text: 'Who is alone?'}) SET q:$('Query_' + $corpus)"},
	{"checks/quotes", "MATCH (c:Claim {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 SET c.source_text = 'which nobody said'"},
	{"checks/poor", "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.n_tokens DESC, c.key LIMIT 1 MATCH (c)-[m:MENTIONS]->() DELETE m"},
	{"checks/stray", "MATCH (d:Document {corpus: $corpus}) WITH d ORDER BY d.key WITH collect(d) AS ds WITH ds[0 % size(ds)] AS d MATCH (d)<-[:PART_OF]-()-[h:HAS_PASSAGE]->(p) WITH h ORDER BY p.key LIMIT 1 DELETE h"},
	{"checks/stray", "MATCH (r:Report {corpus: $corpus})-[h:HAS_FINDING]->() WITH h ORDER BY r.key LIMIT 1 DELETE h"},
	{"checks/stray", "MATCH (:Community {corpus: $corpus})-[h:HAS_REPORT]->(r) WITH h ORDER BY r.key LIMIT 1 DELETE h"},
	{"checks/stray", "MATCH (a:Entity {corpus: $corpus}) WITH a ORDER BY a.key LIMIT 1 CREATE (a)-[:RELATED {key: 'none', weight: 1}]->(a)"},
	{"checks/memberships", "MATCH (e:Entity {corpus: $corpus})-[m:IN_COMMUNITY]->(c:Community) WITH m ORDER BY e.degree DESC, e.key, c.level DESC LIMIT 1 DELETE m"},
	{"checks/memberships", "MATCH (c:Community {corpus: $corpus})-[p:PARENT_COMMUNITY]->() WHERE c.size = COUNT { (c)<-[:IN_COMMUNITY]-() } WITH p ORDER BY c.key LIMIT 1 DELETE p"},
	{"checks/incomplete", "MATCH (d:Document {corpus: $corpus}) WITH d ORDER BY d.key WITH collect(d) AS ds WITH ds[1 % size(ds)] AS d REMOVE d.sha256"},
	{"checks/incomplete", "MATCH (d:Document {corpus: $corpus}) WITH d ORDER BY d.key WITH collect(d) AS ds WITH ds[2 % size(ds)] AS d MATCH (d)-[i:IN_CORPUS]->() DELETE i"},
	{"checks/incomplete", "MATCH (d:Document {corpus: $corpus}) WITH d ORDER BY d.key WITH collect(d) AS ds WITH ds[3 % size(ds)] AS d MATCH (d)<-[:PART_OF]-()-[:HAS_PASSAGE]->(p) WITH p ORDER BY p.key DESC LIMIT 1 DETACH DELETE p"},
	{"checks/unfindable", "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 CALL (c) { REMOVE c:$('Chunk_' + $corpus) }"},
	{"checks/unfindable", "MATCH (c:Claim {corpus: $corpus}) WITH c ORDER BY c.key DESC LIMIT 1 CALL (c) { REMOVE c:$('Claim_' + $corpus) }"},
	{"claims/dated", "MATCH (c:Claim {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 SET c.start_date = '1843-12-24'"},
}

// TestSavedQueries checks that every saved query returns rows for the sample, or what
// is broken in it, and nothing for another corpus.
func TestSavedQueries(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	p := programFor(t, conn, "artifacts")
	p.ok("index", "--offline", "--quiet", "--with", strings.Join(index.ArtifactNames(), ","), filepath.Join("..", "..", "examples", "christmas-carol"))
	store, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close(context.Background()) }()
	queries, err := cypher.SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	values, err := store.SavedQueryDefaults(t.Context(), p.corpus, queries...)
	if err != nil {
		t.Fatal(err)
	}
	other := neo4jtest.Borrow(t, "index")
	ask := func(q cypher.SavedQuery, corpus string, params map[string]any) usercypher.Table {
		t.Helper()
		params = maps.Clone(params)
		params["corpus"] = corpus
		table, err := store.RunReadOnly(t.Context(), usercypher.Query{Text: q.ForCorpus(corpus), Params: params, Trusted: true})
		if err != nil {
			t.Errorf("%s: %v", q.Name, err)
		}
		return table
	}
	params, broken := map[string]map[string]any{}, map[string]bool{}
	for i, q := range queries {
		params[q.Name] = values[i]
		table := ask(q, p.corpus, values[i])
		if len(table.Rows) == 0 {
			broken[q.Name] = q.Empty != ""
			if q.Empty == "" {
				t.Errorf("%s: no rows", q.Name)
			}
		}
		if len(table.Rows) > 0 && draws(table) != q.Draws {
			t.Errorf("%s: draws is %v", q.Name, q.Draws)
		}
		few := maps.Clone(values[i])
		if few["limit"] = int64(1); strings.Contains(q.Text, "LIMIT $limit") {
			if n := len(ask(q, p.corpus, few).Rows); n > 5 { // some have a row per kind or stage
				t.Errorf("%s: %d rows with --limit 1", q.Name, n)
			}
		}
		// A query without a corpus label must restrict itself by $corpus.
		if !strings.Contains(q.Text, "__corpus__") && q.Category() != "overview" {
			if rows := ask(q, other, values[i]).Rows; len(rows) > 0 {
				t.Errorf("%s: the row %v for an empty corpus", q.Name, rows[0])
			}
		}
	}
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = driver.Close(context.Background()) }()
	for _, b := range breakages {
		q, ok := cypher.FindSavedQuery(b.query)
		if !ok {
			t.Fatalf("no query %s", b.query)
		}
		before := len(ask(q, p.corpus, params[q.Name]).Rows)
		result, err := neo4j.ExecuteQuery(t.Context(), driver, b.statement, map[string]any{"corpus": p.corpus}, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
		if err != nil || !result.Summary.Counters().ContainsUpdates() {
			t.Errorf("%s: %s breaks nothing: %v", b.query, b.statement, err)
		}
		if after := len(ask(q, p.corpus, params[q.Name]).Rows); after <= before {
			t.Errorf("%s: %d rows, then %d after %s", b.query, before, after, b.statement)
		}
		delete(broken, b.query)
	}
	for name := range broken {
		t.Errorf("%s returns no rows for the sample, and no breakage tests it", name)
	}
}

// draws reports whether a table contains nodes, relationships or paths.
func draws(table usercypher.Table) bool {
	for _, row := range table.Rows {
		for _, value := range row {
			switch value.(type) {
			case usercypher.Node, usercypher.Edge, usercypher.Path:
				return true
			}
		}
	}
	return false
}

// TestSavedQueriesAfterRemoval runs the queries that show properties whatever their names are,
// on a corpus with values of all types: removing a document stores a list of documents.
func TestSavedQueriesAfterRemoval(t *testing.T) {
	t.Parallel()
	p, docs := newProgram(t, neo4jtest.Server(t)), letters(t)
	p.ok("index", "--offline", "--quiet", docs)
	files, err := filepath.Glob(filepath.Join(docs, "*"))
	if err != nil || len(files) < 2 {
		t.Fatal(err, files)
	}
	removed := "letters/" + filepath.Base(files[0])
	p.ok("remove", "--yes", removed)
	queries, err := cypher.SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		if !strings.Contains(q.Text, "keys(") {
			continue
		}
		if o := p.run("cypher", q.Name); o.code != 0 && !strings.Contains(o.stderr, "the corpus has no value for") {
			t.Errorf("%s: exit %d\n%s", q.Name, o.code, o.stderr)
		}
	}
	for _, format := range [][]string{nil, {"--csv"}, {"--json"}} {
		checkContains(t, p.ok(append([]string{"cypher", "overview/settings"}, format...)...).stdout, "excluded", removed)
	}
}
