package neo4jstore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/testkit/faulttest"
)

func TestRunReadOnlyReturnsPlainValues(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	got, err := s.RunReadOnly(t.Context(), usercypher.Query{
		Text: "RETURN null AS nothing, true AS yes, 1 AS one, 0.5 AS half, $text AS text, [1, 'a', [null]] AS list, {a: date('2024-02-29')} AS map, " +
			"datetime('2024-02-29T10:00:00Z') AS moment, duration('P1DT2H') AS span, point({x: 1, y: 2}) AS place",
		Params: map[string]any{"text": "'; RETURN 1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := usercypher.Table{
		Columns: []string{"nothing", "yes", "one", "half", "text", "list", "map", "moment", "span", "place"},
		Rows: [][]any{{
			nil, true, int64(1), 0.5, "'; RETURN 1", []any{int64(1), "a", []any{nil}}, map[string]any{"a": "2024-02-29"}, "2024-02-29T10:00:00Z", "P0M1DT7200S", "Point{SpatialRefId=7203, X=1.000000, Y=2.000000}",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRunReadOnlyReturnsTheGraph(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, world{"a": {"ann bob"}}); err != nil {
		t.Fatal(err)
	}
	got, err := s.RunReadOnly(t.Context(), usercypher.Query{
		Text:   "MATCH p = (a:Entity {key: $key})-[r:RELATED]-(b:Entity) RETURN a, r, p",
		Params: map[string]any{"key": corpus + "/ann"},
	})
	if err != nil || len(got.Rows) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	node, _ := got.Rows[0][0].(usercypher.Node)
	edge, _ := got.Rows[0][1].(usercypher.Edge)
	path, _ := got.Rows[0][2].(usercypher.Path)
	if node.Properties["name"] != "ann" || !slices.Contains(node.Labels, "Entity") || edge.Type != "RELATED" || edge.Properties["weight"] != int64(1) {
		t.Errorf("%v, %v", node, edge)
	}
	if len(path.Nodes) != 2 || len(path.Edges) != 1 || path.Nodes[0].ID != node.ID || edge.Start != node.ID && edge.End != node.ID {
		t.Errorf("%v", path)
	}
}

func TestRunReadOnlyStopsAtItsLimits(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, test := range []struct {
		limit, rows int
		more        bool
	}{{0, 2500, false}, {3, 3, true}, {2500, 2500, false}, {1500, 1500, true}} {
		got, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: "UNWIND range(1, 2500) AS n RETURN n", Limit: test.limit})
		if err != nil || len(got.Rows) != test.rows || got.More != test.more {
			t.Errorf("limit %d: %d rows, more %v, %v", test.limit, len(got.Rows), got.More, err)
		}
	}
	began := time.Now()
	_, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b)", Timeout: time.Second})
	if !errors.Is(err, usercypher.ErrTimeLimit) || time.Since(began) > 50*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// One record is limited like many: the driver would read it as a whole.
func TestRunReadOnlyStopsAtItsSize(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, text := range []string{"RETURN range(1, 4000000) AS x", "UNWIND range(1, 1000000) AS x RETURN x, x + 1 AS y"} {
		got, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: text, MaxBytes: 8 << 20})
		if !errors.Is(err, usercypher.ErrSize) || !strings.Contains(err.Error(), "8 MB") || len(got.Rows) > 0 {
			t.Errorf("%s: %d rows, %v, want ErrSize", text, len(got.Rows), err)
		}
	}
	if got, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: "RETURN range(1, 1000) AS x", MaxBytes: 1 << 30}); err != nil || len(got.Rows) != 1 {
		t.Errorf("a small result: %v, %v", got, err)
	}
}

// A statement that changes the database or the server, or reads anything but this
// database, is refused in one line.
func TestRunReadOnlyRefuses(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, world{"a": {"ann bob"}}); err != nil {
		t.Fatal(err)
	}
	index := "zz_" + corpus
	for _, text := range []string{
		"CREATE (n:Entity {key: 'x', corpus: $corpus})",
		"MERGE (n:Corpus {key: $corpus + 'x'})",
		"MATCH (n:Corpus {key: $corpus}) SET n.mode = 'x' RETURN n",
		"MATCH (n:Corpus {key: $corpus}) DETACH DELETE n",
		"MATCH (n:Corpus {key: $corpus}) REMOVE n.name",
		"MATCH (n:Corpus {key: $corpus}) CALL (n) { SET n.mode = 'x' } IN TRANSACTIONS",
		"UNWIND [1] AS x CALL (x) { RETURN x AS y } IN TRANSACTIONS RETURN y",
		"MATCH (n:Corpus {key: $corpus}) FOREACH (x IN [1] | SET n.mode = 'x')",
		"MATCH (n:Corpus {key: $corpus}) CALL db.create.setNodeVectorProperty(n, 'zz', [1.0]) RETURN n",
		"CALL db.createLabel('Zz" + corpus + "')",
		"CALL db.createProperty('zz" + corpus + "')",
		"CALL db.createRelationshipType('ZZ" + corpus + "')",
		"CALL db.index.vector.createNodeIndex('" + index + "', 'Zz', 'x', 4, 'cosine')",
		"CREATE INDEX " + index + " FOR (n:Zz) ON (n.x)",
		"CREATE CONSTRAINT " + index + " FOR (n:Zz) REQUIRE n.x IS UNIQUE",
		"CREATE FULLTEXT INDEX " + index + " FOR (n:Zz) ON EACH [n.x]",
		"CREATE VECTOR INDEX " + index + " FOR (n:Zz) ON (n.x) OPTIONS {indexConfig: {`vector.dimensions`: 4}}",
		"DROP INDEX entity_key",
		"PROFILE CREATE (n:Zz)",
		"/* a comment */ // and one more\nCREATE (n:Zz)",
		"CYPHER 5 CREATE (n:Zz)",
		"CREATE USER zz SET PASSWORD 'abcdefgh1'",
		"ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'abcdefgh2'",
		"CALL dbms.killConnection('bolt-0')",
		"CALL dbms.killConnections(['bolt-0'])",
		"CALL db.clearQueryCaches()",
		"CALL { CALL db.labels() YIELD label RETURN label AS value UNION CALL db.clearQueryCaches() YIELD value RETURN value } RETURN value",
		"CALL { CALL db.clearQueryCaches() YIELD value RETURN value UNION CALL db.labels() YIELD label RETURN label AS value } RETURN value",
		"TERMINATE TRANSACTION 'neo4j-transaction-999999'",
		"SHOW TRANSACTIONS YIELD transactionId AS t TERMINATE TRANSACTIONS t YIELD message RETURN message",
		"LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
		"LOAD CSV FROM 'http://127.0.0.1:1/' AS line RETURN line",
		"RETURN COLLECT { LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line }",
		"RETURN [x IN [1] | COLLECT { LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line }]",
		"RETURN reduce(n = 0, x IN [1] | n + COUNT { LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line })",
		"MATCH (n:Corpus) RETURN n ORDER BY [x IN [1] | COLLECT { LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line }]",
		"MATCH p = SHORTEST 1 ((a:Corpus)((x)-[:R]->(y) WHERE [z IN [1] WHERE EXISTS { LOAD CSV FROM 'file:///etc/hostname' AS l RETURN l }] <> [])+(b)) RETURN p",
		"RETURN [x IN [1] | COLLECT { CALL db.clearQueryCaches() YIELD value RETURN value }]",
		"CALL db.clearQueryCaches() YIELD value AS `😀` RETURN `😀`",
		"CALL db . /* caches */ `clearQueryCaches`()",
		`CALL db.cle\u0061rQueryCaches()`,
		"CALL dbms.queryJmx('java.lang:type=Runtime')",
		"CALL dbms.listConfig()",
		"CALL dbms.listConnections()",
		"CALL db.stats.collect('QUERIES')",
		"CALL db.prepareForReplanning()",
		"CALL db.resampleIndex('entity_key')",
		"CALL apoc.load.json('http://127.0.0.1:1/')",
		"RETURN apoc.cypher.runFirstColumnSingle('RETURN 1', {})",
		"EXPLAIN CALL apoc.load.json('http://127.0.0.1:1/')",
		"USE system RETURN 1",
		"SHOW USERS", "SHOW DATABASES YIELD name RETURN name", "SHOW CURRENT USER", "SHOW SETTINGS YIELD name", "SHOW TRANSACTIONS", "SHOW USER PRIVILEGES", "CYPHER 5 SHOW ROLES", "SHOW SERVERS",
		"CALL { USE system RETURN 1 AS x } RETURN x",
	} {
		got, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: text, Params: map[string]any{"corpus": corpus}})
		if !errors.Is(err, usercypher.ErrReadOnly) {
			t.Errorf("%s: %v, %v; want ErrReadOnly", text, got, err)
			continue
		}
		if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "Neo.") {
			t.Errorf("%s: %v", text, err)
		}
	}
	after := query(t, "MATCH (k:Corpus {key: $corpus}) RETURN k.mode AS mode, k.name AS name, "+
		"COUNT { MATCH (n:Zz) } AS made, COUNT { MATCH (n:Corpus {key: $corpus + 'x'}) } AS merged", map[string]any{"corpus": corpus})
	if diff := cmp.Diff([]map[string]any{{"mode": nil, "name": corpus, "made": int64(0), "merged": int64(0)}}, after); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rows := query(t, "SHOW INDEXES YIELD name WHERE name = $index", map[string]any{"index": index}); len(rows) > 0 {
		t.Errorf("%v", rows)
	}
}

func TestRunReadOnlyAllowsReading(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, text := range []string{
		"RETURN 'CREATE (n)' AS x", "CALL db.labels()", "CALL dbms.components()", "SHOW INDEXES", "SHOW INDEXES YIELD name RETURN count(name)",
		"CYPHER 5 RETURN 1", "CYPHER runtime=slotted RETURN 1", "PROFILE RETURN 1", "EXPLAIN RETURN 1", "// title\nRETURN 1;", "SHOW PROCEDURES YIELD name RETURN count(*)",
		"SHOW CONSTRAINTS", "SHOW VECTOR INDEXES YIELD name", "SHOW BUILT IN FUNCTIONS YIELD name", "USE neo4j RETURN 1", "CALL db.labels", "FINISH",
		"RETURN [x IN [1] | EXISTS { CALL db.labels() YIELD label RETURN label }]", "RETURN date.truncate('month', date())", "RETURN 1 AS `😀 | +LoadCSV`",
		"CALL db.schema.visualization()", "CALL db.index.fulltext.listAvailableAnalyzers()", "CALL db.info()", "CALL db.ping()",
		"MATCH (a:Corpus) OPTIONAL MATCH p = shortestPath((a)-[*..3]->(b:Run)) WHERE all(n IN nodes(p) WHERE n.key <> 'LOAD CSV') RETURN CASE WHEN a.name = 'x' THEN 'TERMINATE' ELSE '(' END AS `x('`",
	} {
		if _, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: text}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"MATCH (n RETURN n", "RETURN $missing", "RETURN x", ""} {
		if _, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: text}); !errors.Is(err, usercypher.ErrStatement) {
			t.Errorf("%q: %v, want ErrStatement", text, err)
		}
	}
}

// A statement that is understood and fails on a value is not a mistake in its syntax.
func TestRunReadOnlyFailsWhileItRuns(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for text, says := range map[string]string{
		"RETURN 9223372036854775807 + 1":                       "overflow",
		"RETURN reduce(s = 1, x IN range(1, 80) | s * 2) AS n": "overflow",
		"RETURN 1 / 0": "/ by zero",
		"UNWIND range(1, 10) AS i RETURN 10 / (i - 5)":                        "/ by zero",
		"UNWIND [1, [2]] AS x RETURN toInteger(x)":                            "Invalid input for function 'toInteger()'",
		"RETURN range(1, 3, 0)":                                               "range",
		"UNWIND ['no date'] AS d RETURN date(d)":                              "no date",
		"UNWIND [1, {}] AS x RETURN x.name":                                   "Type mismatch",
		"CALL db.index.fulltext.queryNodes('zz', 'x') YIELD node RETURN node": "no such fulltext schema index",
	} {
		_, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: text})
		if !errors.Is(err, usercypher.ErrFailed) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "Neo.") {
			t.Errorf("%s: %v, want ErrFailed with %q", text, err, says)
		}
	}
}

// The statements of package cypher would be allowed, although nothing looks at them.
func TestRunReadOnlyAllowsSavedQueries(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, world{"a": {"ann bob"}}); err != nil {
		t.Fatal(err)
	}
	queries, err := cypher.SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	queries = faulttest.Sample(t, queries, len(queries)/4)
	defaults, err := s.SavedQueryDefaults(t.Context(), corpus, queries...)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range queries {
		params := map[string]any{"corpus": corpus}
		for _, p := range q.Params {
			params[p.Name] = defaults[i][p.Name]
		}
		if _, err := s.RunReadOnly(t.Context(), usercypher.Query{Text: q.ForCorpus(corpus), Params: params}); err != nil {
			t.Errorf("%s: %v", q.Name, err)
		}
	}
}

// Both sources of an operator are in the plan.
func TestExplain(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, text := range []string{
		"MATCH (a:Corpus) MATCH (b:Run) RETURN a, b",
		"CYPHER 5 MATCH (a:Corpus) MATCH (b:Run) RETURN a, b",
	} {
		plan, err := s.Explain(t.Context(), usercypher.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range plan.Steps {
			if strings.HasSuffix(step.Operator, "Scan") {
				got = append(got, step.Details)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff([]string{"a:Corpus", "b:Run"}, got); diff != "" || !strings.Contains(plan.Text, "CartesianProduct") {
			t.Errorf("(-want +got):\n%s\n%s", diff, plan.Text)
		}
	}
	plan, err := s.Explain(t.Context(), usercypher.Query{Text: "CREATE (n:Zz)"})
	if err != nil || len(plan.Steps) == 0 {
		t.Errorf("a statement that writes is not explained: %v, %v", plan, err)
	}
}
