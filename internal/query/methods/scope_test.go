package methods_test

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/auto"
	"github.com/neorag/neorag/internal/query/methods/global"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// minutes writes twelve documents, one a month, and one without a date.
func minutes(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "minutes")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	people := []string{"Clara Hale", "Tobias Reed", "Agnes Moor"}
	for month := 1; month <= 12; month++ {
		a, b := people[month%3], people[(month+1)%3]
		write(fmt.Sprintf("2026-%02d-10.md", month), fmt.Sprintf(
			"# Meeting %d\n\n%s met %s at the Harbour Museum in Port Ellen. %s spoke about the budget of the museum. The museum pays %s %d pounds for the lanterns. %s thanked %s for the repair of the roof.\n",
			month, a, b, a, b, 100*month, b, a))
	}
	write("rules.md", "# Rules\n\nThe museum opens at nine. Whoever breaks a lantern pays for it. The budget is read aloud.\n")
	return dir
}

// TestFilter asks by every method that takes filters: it finds something, in few
// round trips, and cites no document that the filter excludes.
func TestFilter(t *testing.T) {
	t.Parallel()
	store, sent := counted(t)
	corpus := neo4jtest.Borrow(t, "index")
	e := indexed(t, store, index.Options{Corpus: corpus}, minutes(t))
	tests := []struct {
		name   string
		filter query.Filter
		fits   func(document string) bool
		left   int // documents
	}{
		{"after", query.Filter{After: "2026-06"}, func(d string) bool { return d >= "2026-06" && d < "2027" }, 7},
		{"before", query.Filter{Before: "2026-03-11"}, func(d string) bool { return d < "2026-03-11" }, 3},
		{"span", query.Filter{After: "2026-04-10", Before: "2026-06-10"}, func(d string) bool { return d == "2026-04-10.md" || d == "2026-05-10.md" }, 2},
		{"document", query.Filter{Documents: []string{"2026-1?-*", "minutes/2026-02*"}}, func(d string) bool { return strings.HasPrefix(d, "2026-1") || strings.HasPrefix(d, "2026-02") }, 4},
		{"type", query.Filter{Types: []string{"Person"}}, func(d string) bool { return d != "rules.md" }, 12},
		{"all", query.Filter{Documents: []string{"**"}, After: "2026-11", Types: []string{"person"}}, func(d string) bool { return d > "2026-11" && d < "2027" }, 2},
	}
	if _, err := e.Ask(t.Context(), query.Question{Text: "What was said?", Method: "fused"}); err != nil { // reads its graph
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, method := range []string{"basic", "fused", "text", "global", "local", "light", "auto"} {
				before := sent.Load()
				a, err := e.Ask(t.Context(), query.Question{Text: "What was said about the budget of the museum?", Method: method, Filter: tt.filter, AnswerTokens: 4000})
				if err != nil {
					t.Errorf("%s: %v", method, err)
					continue
				}
				most := int64(mostStatements)
				if len(tt.filter.Types) > 0 {
					most += 2 // which types there are, and what mentions them
				}
				switch method {
				case "fused":
					most += 2 // the state of its graph is read while it searches
				case "auto":
					most += 3 // it may choose fused
				}
				if n := sent.Load() - before; n > most && method != "text" && method != "global" {
					t.Errorf("%s took %d statements, want at most %d", method, n, most)
				}
				if len(a.References) == 0 {
					t.Errorf("%s: got no references: %s", method, a.Answer)
				}
				for _, r := range a.References {
					if !tt.fits(path.Base(r.Document)) || r.Corpus != corpus {
						t.Errorf("%s: reference [%d] is of %q in corpus %s", method, r.N, r.Document, r.Corpus)
					}
				}
			}
			for _, method := range []string{"basic", "local"} {
				found, err := e.Retrieve(t.Context(), query.Question{Text: "budget of the museum", Method: method, Filter: tt.filter})
				if err != nil || len(found.Documents) != tt.left {
					t.Errorf("%s: got %d documents, %v, want %d", method, len(found.Documents), err, tt.left)
				}
			}
		})
	}
	t.Run("refused", func(t *testing.T) { checkRefused(t, e) })
	t.Run("auto without matching reports", func(t *testing.T) { checkAutoFallback(t, e) })
}

// checkAutoFallback: when no report cites what a filter leaves, auto answers a
// question about the whole by local, and says why. Dynamic selection is refused.
func checkAutoFallback(t *testing.T, e *query.Engine) {
	q := query.Question{Text: "What are the main themes?", Method: "auto", Filter: query.Filter{Documents: []string{"rules.md"}}}
	a, err := e.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if traceOf[auto.Choice](a).Method != "local" || !strings.Contains(traceOf[auto.Choice](a).Why, "no report cites what the filter leaves") {
		t.Errorf("got %s, because %s", traceOf[auto.Choice](a).Method, traceOf[auto.Choice](a).Why)
	}
	q.SetOwn("global", global.Settings{Dynamic: true})
	if _, err := e.Ask(t.Context(), q); !errors.Is(err, query.ErrFilter) || !strings.Contains(err.Error(), "choosing reports takes no filters") {
		t.Errorf("with dynamic selection: got %v", err)
	}
}

// checkRefused: the error of a filter that matches nothing, or cannot be parsed,
// names what the corpus has.
func checkRefused(t *testing.T, e *query.Engine) {
	tests := []struct {
		filter query.Filter
		want   string
	}{
		{query.Filter{Documents: []string{"nothing*"}}, "no document matches"},
		{query.Filter{After: "2027"}, "13 documents, 12 of them with a date, from 2026-01-10 to 2026-12-10"},
		{query.Filter{After: "2026-05", Before: "2026-05"}, "no document matches"},
		{query.Filter{After: "soon"}, "write it as 2026"},
		{query.Filter{Types: []string{"planet"}}, "there are "},
		{query.Filter{Documents: []string{""}}, "a pattern is"},
	}
	for _, tt := range tests {
		for _, method := range []string{"basic", "text", "global", "local", "light", "auto"} {
			_, err := e.Ask(t.Context(), query.Question{Text: "who", Method: method, Filter: tt.filter})
			if !errors.Is(err, query.ErrFilter) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s with %+v: got %v, want ErrFilter with %q", method, tt.filter, err, tt.want)
			}
		}
	}
}

// TestFilterLosesNothing compares a search with a filter and a limit of hits with an
// unlimited search that is filtered here.
func TestFilterLosesNothing(t *testing.T) {
	t.Parallel()
	store := open(t)
	sampleBare.indexed(t, store)
	corpus := sampleBare.corpus
	const limit = 7
	only := []string{graph.Key(corpus, "christmas-carol/stave-2.txt"), graph.Key(corpus, "christmas-carol/stave-5.txt")}
	keep := func(all []neo4jstore.Hit) []neo4jstore.Hit {
		all = slices.DeleteFunc(slices.Clone(all), func(h neo4jstore.Hit) bool { return !slices.Contains(only, h.Document) })
		return all[:min(limit, len(all))]
	}
	for _, text := range []string{"the ghost of Christmas", "Scrooge and his nephew at dinner", "What did Fezziwig do?"} {
		asked := textproc.ReadQuestion(text)
		q := neo4jstore.SearchQuery{Terms: asked.Lucene(), Pairs: asked.LuceneTermPairs(), Limit: 100_000}
		all, err := store.Search(t.Context(), corpus, q)
		if err != nil {
			t.Fatal(err)
		}
		q.Limit, q.Scope = limit, &neo4jstore.Scope{Documents: only}
		got, err := store.Search(t.Context(), corpus, q)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Passages) != limit {
			t.Errorf("%q: got %d passages, want %d", text, len(got.Passages), limit)
		}
		want := [][]neo4jstore.Hit{keep(all.Passages), keep(all.Pairs), keep(all.Documents), keep(all.Leads)}
		if diff := cmp.Diff(want, [][]neo4jstore.Hit{got.Passages, got.Pairs, got.Documents, got.Leads}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	rows, err := store.ChunkRowPage(t.Context(), corpus, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	rows = slices.DeleteFunc(rows, func(r neo4jstore.ChunkRow) bool { return !slices.Contains(only, r.Document) })
	got, err := store.ChunkRowPageInScope(t.Context(), corpus, &neo4jstore.Scope{Documents: only}, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rows, got); diff != "" || len(got) == 0 {
		t.Errorf("%d chunks (-want +got):\n%s", len(got), diff)
	}
	near, err := store.NearestInScope(t.Context(), corpus, &neo4jstore.Scope{Documents: only}, textproc.Vector("Scrooge and Fezziwig"), len(rows)+1)
	if err != nil || len(near) != len(rows) {
		t.Errorf("by vectors: got %d chunks, %v, want all %d", len(near), err, len(rows))
	}
}

// TestFederate asks two corpora as one: references name their corpus.
func TestFederate(t *testing.T) {
	t.Parallel()
	store := open(t)
	carol, museum := neo4jtest.Borrow(t, "index"), neo4jtest.Borrow(t, "index")
	first := indexed(t, store, index.Options{Corpus: carol}, filepath.Join(sample, "stave-2.txt"))
	second := indexed(t, store, index.Options{Corpus: museum}, minutes(t))
	both, err := query.Federate(first, second)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"basic", "text", "global", "local", "light", "auto"} {
		for text, want := range map[string]string{"What did Fezziwig give his apprentices?": carol, "What is said about the budget of the Harbour Museum?": museum} {
			a, err := both.Ask(t.Context(), query.Question{Text: text, Method: method})
			if err != nil {
				t.Errorf("%s: %v", method, err)
				continue
			}
			if a.Corpus != carol+","+museum || a.Dangling != 0 || len(a.References) == 0 {
				t.Errorf("%s: corpus %s, %d references, %d dangling", method, a.Corpus, len(a.References), a.Dangling)
				continue
			}
			if r := a.References[0]; r.Corpus != want || r.Document == "" || !strings.HasPrefix(r.Key, want+"/") {
				t.Errorf("%s %q: the first reference is %+v, want one of %s", method, text, r, want)
			}
		}
	}
	// A filter that only one corpus matches leaves that one.
	a, err := both.Ask(t.Context(), query.Question{Text: "the budget of the museum", Method: "basic", Filter: query.Filter{After: "2026-12"}})
	if err != nil || len(a.References) == 0 || a.References[0].Corpus != museum {
		t.Errorf("with a filter: got %+v, %v", a.References, err)
	}
	for _, q := range []query.Question{{Method: "drift"}, {Method: "global", Own: map[string]any{"global": global.Settings{Dynamic: true}}}} {
		q.Text = "What is said about the budget?"
		if _, err := both.Ask(t.Context(), q); !errors.Is(err, query.ErrFilter) {
			t.Errorf("%+v over two corpora: got %v, want ErrFilter", q, err)
		}
	}
	emptied := filepath.Join(t.TempDir(), "emptied.txt")
	if err := os.WriteFile(emptied, []byte("Clara Hale met Mary Quill."), 0o600); err != nil {
		t.Fatal(err)
	}
	options := index.Options{Corpus: neo4jtest.Borrow(t, "index"), Source: source.Options{MayBeEmpty: []string{filepath.Dir(emptied)}}}
	indexed(t, store, options, filepath.Dir(emptied))
	if err := os.Remove(emptied); err != nil {
		t.Fatal(err)
	}
	empty := indexed(t, store, options, filepath.Dir(emptied))
	some, err := query.Federate(empty, first)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"basic", "global", "auto"} {
		for _, text := range []string{"What did Fezziwig give his apprentices?", "What are the main themes?", "Which spacecraft orbits Saturn?"} {
			if a, err := some.Ask(t.Context(), query.Question{Text: text, Method: method}); err != nil || a.Answer == "" {
				t.Errorf("%s with a corpus that has no documents, %q: %q, %v", method, text, a.Answer, err)
			}
		}
	}
	if _, err := query.Federate(first, first); err == nil {
		t.Error("the same corpus twice: got no error")
	}
	missing, err := query.Federate(first, engine(t, store, neo4jtest.Corpus(t)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := missing.Ask(t.Context(), query.Question{Text: "who", Method: "basic"}); !errors.Is(err, query.ErrNotIndexed) {
		t.Errorf("one corpus is missing: got %v, want ErrNotIndexed", err)
	}
}
