package methods_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

var sample = filepath.Join("..", "..", "..", "examples", "christmas-carol")

func open(t *testing.T) *neo4jstore.Store {
	t.Helper()
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	return store
}

func indexed(t *testing.T, store *neo4jstore.Store, o index.Options, path string) *query.Engine {
	t.Helper()
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Run(t.Context(), []string{path}); err != nil {
		t.Fatal(err)
	}
	return engine(t, store, o.Corpus)
}

func engine(t *testing.T, store *neo4jstore.Store, corpus string) *query.Engine {
	t.Helper()
	e, err := query.New(store, query.Options{Corpus: corpus})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// offlineMethods returns the methods that need no chat model.
func offlineMethods() (names []string) {
	for _, m := range query.Methods() {
		if !m.NeedsModel {
			names = append(names, m.Name)
		}
	}
	return names
}

// offlineRetrieval returns the names of Retrieve whose methods need no chat model.
func offlineRetrieval() []string {
	return slices.DeleteFunc(query.RetrievalMethods(), func(name string) bool {
		method, _, _ := strings.Cut(name, ":")
		return !slices.Contains(offlineMethods(), method)
	})
}

// TestSample asks the sample by every method, and holds each answer to the
// contract: every number has a reference, and every reference quotes a file.
func TestSample(t *testing.T) {
	t.Parallel()
	store := open(t)
	e := sampleWhole.indexed(t, store)
	files := staves(t)
	for _, method := range offlineMethods() {
		for _, q := range []string{"What are the main themes of the story?", "Who was the partner of Scrooge?", "What happens to Tiny Tim?"} {
			t.Run(method+" "+q, func(t *testing.T) {
				a, err := e.Ask(t.Context(), query.Question{Text: q, Method: method})
				if err != nil {
					t.Fatal(err)
				}
				// By its questions qcg may find no chunk that answers.
				if declined := method == "qcg" && len(a.References) == 0 && strings.Contains(a.Answer, "closest document"); !declined {
					checkAnswer(t, a, files)
				}
				again, err := e.Ask(t.Context(), query.Question{Text: q, Method: method})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(a, again, cmpopts.IgnoreFields(query.Answer{}, "Seconds")); diff != "" {
					t.Errorf("asked again (-first +second):\n%s", diff)
				}
			})
		}
	}
	t.Run("levels", func(t *testing.T) { checkLevels(t, e) })
	t.Run("rank order", func(t *testing.T) { checkRankOrder(t, store, e) })
	t.Run("trace", func(t *testing.T) { checkTraces(t, e) })
	t.Run("nothing found", func(t *testing.T) {
		a, err := e.Ask(t.Context(), query.Question{Method: "global", Text: "How do quantum computers factorise integers?"})
		if err != nil || len(a.References) != 0 || !strings.Contains(a.Answer, "closest") {
			t.Errorf("a question that no report answers: got %+v, %v", a, err)
		}
	})
}

func staves(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(sample)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		body, err := os.ReadFile(filepath.Join(sample, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files["christmas-carol/"+entry.Name()] = strings.ReplaceAll(string(body), "\r\n", "\n")
	}
	return files
}

var number = regexp.MustCompile(`\[(\d+)\]`)

func checkAnswer(t *testing.T, a query.Answer, files map[string]string) {
	t.Helper()
	if a.Answer == "" || a.Dangling != 0 || len(a.References) == 0 {
		t.Fatalf("got %q with %d references and %d dangling", a.Answer, len(a.References), a.Dangling)
	}
	// A model may repeat a heading or a question, which is not quoted.
	unquoted := slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, " no quote") })
	used := map[int]bool{}
	for _, m := range number.FindAllStringSubmatch(a.Answer, -1) {
		n, _ := strconv.Atoi(m[1])
		used[n] = true
	}
	for i, r := range a.References {
		if r.N != i+1 || !used[r.N] {
			t.Errorf("reference %d: numbered %d, used in the answer: %v", i+1, r.N, used[r.N])
		}
		text, ok := files[r.Document]
		if !ok || r.End > len(text) || text[r.Start:r.End] != r.Quote || r.Quote == "" && !unquoted {
			t.Errorf("reference %d: %s bytes %d to %d do not contain %q", r.N, r.Document, r.Start, r.End, r.Quote)
		}
		delete(used, r.N)
	}
	if len(used) > 0 {
		t.Errorf("numbers without a reference: %v", used)
	}
}

// checkLevels: each level reads the reports of its view, of which there are fewer nearer
// to the root.
func checkLevels(t *testing.T, e *query.Engine) {
	sizes, err := e.LevelSizes(t.Context(), query.Question{})
	if err != nil {
		t.Fatal(err)
	}
	deepest := len(sizes.Levels) - 1
	if deepest < 1 || sizes.Levels[0].Reports >= sizes.Levels[deepest].Reports {
		t.Fatalf("the levels do not differ: %+v", sizes.Levels)
	}
	for l, number := range map[string]int{"root": 0, "1": 1, "": min(2, deepest), "leaf": deepest} {
		level, err := query.ParseLevel(l)
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Ask(t.Context(), query.Question{Method: "global", Text: "What happens to Tiny Tim?", Level: level})
		if err != nil {
			t.Fatal(err)
		}
		if want := sizes.Levels[number].Reports; a.Usage.ContextItems != want {
			t.Errorf("level %q reads %d reports, want %d", l, a.Usage.ContextItems, want)
		}
	}
}

// checkRankOrder: basic passes the best chunks to a model, best first, as many as
// fit.
func checkRankOrder(t *testing.T, store *neo4jstore.Store, e *query.Engine) {
	const question = "What happens to Tiny Tim?"
	found, err := e.Retrieve(t.Context(), query.Question{Text: question, Method: "basic"})
	if err != nil {
		t.Fatal(err)
	}
	corpus, _, _ := strings.Cut(found.Chunks[0].Key, "/")
	keys := make([]string, 6)
	for i := range keys {
		keys[i] = found.Chunks[i].Key
	}
	if slices.IsSorted(keys) {
		t.Fatal("the best chunks are in the order of their keys: the question tests nothing")
	}
	rows, err := store.ChunkRows(t.Context(), corpus, keys)
	if err != nil {
		t.Fatal(err)
	}
	budget, want := 0, []string{}
	for _, row := range rows[:4] {
		budget += row.NTokens
	}
	for _, row := range rows[:4] {
		want = append(want, strings.TrimSpace(report.Plain(row.Text)))
	}
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat()})
	with, err := query.New(store, query.Options{Corpus: corpus, Model: &synth.Model{Map: chat, Answer: chat}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := with.Ask(t.Context(), query.Question{Text: question, Method: "basic", ReduceTokens: budget, CiteRecords: true}); err != nil {
		t.Fatal(err)
	}
	said := fakemodel.Material(server.Requests()[0])
	at := -1
	for i, text := range want {
		now := strings.Index(said, text)
		if now <= at {
			t.Errorf("chunk %d by rank is at %d, the one before it at %d", i+1, now, at)
		}
		at = now
	}
}

func checkTraces(t *testing.T, e *query.Engine) {
	for _, spec := range []string{"entity:SCROOGE", "document:christmas-carol/stave-1.txt", "community:C0_0"} {
		ref, err := e.Find(t.Context(), spec)
		if err != nil {
			t.Errorf("Find(%q): %v", spec, err)
			continue
		}
		steps, err := e.Trace(t.Context(), ref, "")
		if err != nil || len(steps) == 0 {
			t.Errorf("Trace(%q): got %d steps, %v", spec, len(steps), err)
		}
	}
	for _, spec := range []string{"entity:nobody", "Scrooge", "planet:Mars", "entity:"} {
		if _, err := e.Find(t.Context(), spec); err == nil {
			t.Errorf("Find(%q): got no error", spec)
		}
	}
	if _, err := e.Trace(t.Context(), graph.Reference{Kind: graph.KindEntity, Key: "nowhere/nothing"}, ""); err == nil {
		t.Error("Trace of nothing: got no error")
	}
}

// TestNotIndexed: without anything to read, every method returns ErrNotIndexed or
// answers from what there is.
func TestNotIndexed(t *testing.T) {
	t.Parallel()
	store := open(t)
	missing := engine(t, store, neo4jtest.Corpus(t))
	for _, method := range offlineMethods() {
		if _, err := missing.Ask(t.Context(), query.Question{Text: "who", Method: method}); !errors.Is(err, query.ErrNotIndexed) {
			t.Errorf("%s without a corpus: got %v, want ErrNotIndexed", method, err)
		}
	}
	half := indexed(t, store, index.Options{Corpus: neo4jtest.Borrow(t, "index"), WithoutReports: true}, filepath.Join(sample, "stave-5.txt"))
	if _, err := half.Ask(t.Context(), query.Question{Text: "who", Method: "global"}); !errors.Is(err, query.ErrNotIndexed) {
		t.Errorf("global without reports: got %v, want ErrNotIndexed", err)
	}
	if _, err := half.Ask(t.Context(), query.Question{Text: "Who is Scrooge?", Method: "basic"}); err != nil {
		t.Errorf("basic without reports: %v", err)
	}
	if _, err := half.Ask(t.Context(), query.Question{Text: "  "}); !errors.Is(err, query.ErrNoQuestion) {
		t.Errorf("an empty question: got %v, want ErrNoQuestion", err)
	}
	if _, err := half.Ask(t.Context(), query.Question{Text: "who", Method: "none"}); !errors.Is(err, query.ErrUnknownMethod) {
		t.Errorf("an unknown method: got %v, want ErrUnknownMethod", err)
	}
}
