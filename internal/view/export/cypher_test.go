package export

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// TestCypherLoads checks that the statements create the graph on a server, also when
// they run twice, and whatever the names contain.
func TestCypherLoads(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	conn := neo4jtest.Server(t)
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	corpus := neo4jtest.Corpus(t)
	ask := func(text string) []map[string]any {
		t.Helper()
		result, err := neo4j.ExecuteQuery(context.Background(), driver, text, map[string]any{"corpus": corpus}, neo4j.EagerResultTransformer)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		var rows []map[string]any
		for _, r := range result.Records {
			rows = append(rows, r.AsMap())
		}
		return rows
	}
	t.Cleanup(func() {
		ask("MATCH (n:Entity|Community|Report|Finding) WHERE n.corpus = $corpus DETACH DELETE n")
		_ = driver.Close(context.Background())
	})
	g := sample(corpus, append([]string{"nul\x00byte", "escape\x1b[31m"}, awkward...))
	for range 2 {
		for _, text := range statements(write(t, "cypher", g)) {
			if !strings.Contains(text, "CREATE CONSTRAINT") { // the test server has its own constraints
				ask(text)
			}
		}
		var got, want []string
		for _, r := range ask("MATCH (n:Entity {corpus: $corpus}) RETURN n.name AS name ORDER BY n.frequency") {
			got = append(got, r["name"].(string))
		}
		for e, err := range g.Entities {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, e.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
		counts := ask(`RETURN COUNT { (:Entity {corpus: $corpus})-[:RELATED]->(:Entity) } AS related, COUNT { (:Entity {corpus: $corpus})-[:IN_COMMUNITY]->(:Community) } AS members,
  COUNT { (:Community {corpus: $corpus})-[:PARENT_COMMUNITY]->() } AS parents, COUNT { (:Community {corpus: $corpus})-[:HAS_REPORT]->()-[:HAS_FINDING]->(:Finding) } AS findings`)
		n := int64(len(want))
		if diff := cmp.Diff([]map[string]any{{"related": n - 2, "members": 2 * (n - 1), "parents": int64(2), "findings": int64(3)}}, counts); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
	}
}

// statements splits a script as cypher-shell does: at each ";" that ends a line.
func statements(script string) []string {
	var all []string
	for text := range strings.SplitSeq(script, ";\n") {
		if strings.TrimSpace(text) != "" {
			all = append(all, text)
		}
	}
	return all
}
