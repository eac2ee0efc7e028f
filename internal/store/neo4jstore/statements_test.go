package neo4jstore_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// seedAll creates every label, type and property in statements: the server warns about
// names that no node has ever had.
const seedAll = `
CREATE (q:Query {key: $corpus + '/q', corpus: $corpus, embedding: $vector})
SET q:$('Query_' + $corpus)
CREATE (s:Sentence {key: $corpus + '/s', corpus: $corpus, embedding: $vector})
SET s:$('Sentence_' + $corpus)
CREATE (x:Explained)
SET x = $properties, x.key = $corpus + '/x', x.corpus = $corpus
CREATE (:NamePair {key: $corpus + '/p', corpus: $corpus})
CREATE (s)-[:NAMES]->(x)-[:HAS_SENTENCE]->(s), (x)-[:HAS_QUERY]->(q)-[:SIMILAR_QUERY]->(q),
  (x)-[:SYNONYM]->(x), (x)-[:SIMILAR_DOCUMENT]->(x)
WITH x
CALL (x) { FOREACH (label IN [k IN ['Document', 'Chunk', 'Passage', 'Entity', 'Relationship', 'Claim', 'Report', 'Query'] | k + '_' + $corpus] + [$corpus] | SET x:$(label)) }
RETURN x.key`

var property = regexp.MustCompile(`\.([a-z]\w*)|[{,]\s*([a-z]\w*):`)

// propertiesIn returns a value for each name in the statements that may be that of a property.
func propertiesIn(t *testing.T, all []cypher.Statement, corpus string) map[string]any {
	t.Helper()
	properties := map[string]any{}
	for _, st := range all {
		text, err := st.Text(corpus)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range property.FindAllStringSubmatch(text, -1) {
			properties[match[1]+match[2]] = ""
		}
	}
	return properties
}

// dummies returns parameters of plausible types; unknown ones are texts.
func dummies(params []string) map[string]any {
	known := map[string]any{
		"rows": []any{map[string]any{"key": ""}}, "members": []any{map[string]any{"key": "", "community": ""}}, "keys": []string{""}, "limit": 1, "next": 1, "generation": 1, "topology": 1, "level": 0,
		"fetch": 1, "vector": []float64{1, 2, 3, 4}, "dimension": dimension, "ttl": 1, "expired": 1, "token": 1, "schema": 1, "supports": 1,
		"set": map[string]any{"x": 1}, "documents": []string{""}, "chunks": []string{""}, "passages": []string{""}, "entities": []string{""},
		"relationships": []string{""}, "claims": []string{""}, "communities": []string{""}, "reports": []string{""}, "findings": []string{""},
		"least": 0.5, "hops": 1, "neighbours": 1, "queries": []string{""}, "names": []string{""}, "hashed": true, "term_hits": 1, "vector_hits": 1, "vector_fetch": 1,
		"descriptions": true, "max_relationships": 1, "max_claims": 1, "max_reports": 1, "max_chunks": 1, "max_mentions": 1, "found_chunks": []string{""}, "kinds": []string{"Entity"}, "edges": true,
		"weights": map[string]any{}, "similar": map[string]any{}, "question_terms": []string{""}, "max_neighbours": 1, "retrieved": []string{""}, "entity_vector": []float64{1, 2, 3, 4},
		"relationship_vector": []float64{1, 2, 3, 4}, "searches": []any{map[string]any{"terms": "a", "kinds": []string{"Entity"}}},
		"ids": []int64{0}, "texts": []string{""}, "types": []string{""},
	}
	all := map[string]any{}
	for _, name := range params {
		all[name] = ""
		if value, ok := known[name]; ok {
			all[name] = value
		}
	}
	return all
}

var operator = regexp.MustCompile(`(?m)^\| [| ]*\+(\w+)`)

// operators returns the operators in the table of a plan: the plan tree of the driver
// (5.28) contains the second input of an operator twice instead of both.
func operators(plan neo4j.Plan) []string {
	text, _ := plan.Arguments()["string-representation"].(string)
	var found []string
	for _, match := range operator.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Every statement compiles on the server without warnings, returns the columns that its header
// names, and finds its nodes by an index unless its file gives a reason.
func TestStatementsUseIndexes(t *testing.T) {
	neo4jtest.ChangesIndexes(t) // prepareForReplanning discards all plans
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		return writer.RecordRun(ctx, neo4jstore.Run{ID: "r", Counts: map[string]int64{"documents": 1, "writes": 1}})
	})
	all, err := cypher.All()
	if err != nil {
		t.Fatal(err)
	}
	query(t, seedAll, map[string]any{"corpus": corpus, "vector": []float64{1, 2, 3, 4}, "properties": propertiesIn(t, all, corpus)})
	// Of empty or tiny indexes all plans cost the same, or a scan costs least.
	query(t, `UNWIND $kinds AS kind UNWIND range(1, 200) AS i
CREATE (n:$(kind) {key: $corpus + '/many' + kind + toString(i), corpus: $corpus})`, map[string]any{
		"corpus": corpus, "kinds": []string{"Document", "Chunk", "Passage", "Entity", "Relationship", "Claim", "Report", "Finding", "Query", "Sentence", "Community", "NamePair"},
	})
	query(t, "CALL db.prepareForReplanning(60)", nil)
	t.Cleanup(func() {
		ctx := context.Background()
		driver := driver(t)
		defer func() { _ = driver.Close(ctx) }()
		_, _ = neo4j.ExecuteQuery(ctx, driver, "MATCH (x) WHERE x.key = $key DETACH DELETE x", map[string]any{"key": graph.Key(corpus, "x")}, neo4j.EagerResultTransformer)
	})
	driver := driver(t)
	defer func() { _ = driver.Close(context.Background()) }()
	for _, st := range faulttest.Sample(t, all, max(len(all)/4, 1)) {
		file, err := st.File()
		if err != nil {
			t.Fatal(err)
		}
		session := driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j"})
		params := dummies(file.Params)
		if q, ok := cypher.FindSavedQuery(strings.TrimPrefix(string(st), "saved/")); ok {
			for _, p := range q.Params {
				params[p.Name] = ""
				if p.Default != nil {
					params[p.Name] = p.Default
				}
			}
		}
		text, params, err := st.Packed(corpus, params)
		if err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(text, "CYPHER 5"); ok {
			text = "CYPHER 5 EXPLAIN" + rest
		} else {
			text = "EXPLAIN " + text
		}
		result, err := session.Run(t.Context(), text, params)
		if err != nil {
			t.Errorf("%s: %v", st, err)
			continue
		}
		columns, err := result.Keys()
		if diff := cmp.Diff(file.Returns.Names(), columns, cmpopts.EquateEmpty()); (diff != "" || err != nil) && !strings.HasPrefix(string(st), "saved/") {
			t.Errorf("%s: %v, columns (-in the header +on the server):\n%s", st, err, diff)
		}
		summary, err := result.Consume(t.Context())
		_ = session.Close(t.Context())
		if err != nil {
			t.Errorf("%s: %v", st, err)
			continue
		}
		for _, note := range summary.Notifications() {
			if category := note.Category(); category == "PERFORMANCE" || category == "UNRECOGNIZED" {
				t.Errorf("%s: %s: %s", st, note.Title(), note.Description())
			}
		}
		if summary.Plan() == nil {
			t.Errorf("%s: no plan", st)
			continue
		}
		all := operators(summary.Plan())
		if len(all) == 0 && !strings.HasPrefix(string(st), "schema/") {
			t.Errorf("%s: no operators", st)
		}
		if strings.HasPrefix(string(st), "write/") && slices.Contains(file.Params, "limit") && slices.Contains(all, "Top") {
			t.Errorf("%s: each page sorts all that remain\n%v", st, summary.Plan().Arguments()["string-representation"])
		}
		found := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !strings.HasSuffix(name, "Scan") })
		if strings.HasPrefix(string(st), "saved/") && (slices.Contains(found, "AllNodesScan") || slices.Contains(all, "CartesianProduct")) {
			t.Errorf("%s: the plan has %v", st, all)
		}
		if len(found) > 0 && file.Scan == "" && !strings.HasPrefix(string(st), "schema/") {
			t.Errorf("%s: plan has %v and the file gives no reason\n%v", st, found, summary.Plan().Arguments()["string-representation"])
		}
		if len(found) == 0 && file.Scan != "" {
			t.Errorf("%s: the file gives a reason for a scan and the plan has none", st)
		}
	}
}
