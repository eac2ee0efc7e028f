package methods_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/light"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

// TestLight asks the sample, of which no reports are made, in every mode of light.
func TestLight(t *testing.T) {
	t.Parallel()
	store, sent := counted(t)
	e := sampleBare.indexed(t, store)
	files := staves(t)
	for _, mode := range light.Method.Modes {
		t.Run(mode, func(t *testing.T) {
			found := 0
			for _, q := range carolQuestions(t) {
				before := sent.Load()
				a, err := e.Ask(t.Context(), query.Question{Text: q.Question, Method: "light", Mode: mode})
				if err != nil {
					t.Fatal(err)
				}
				if n := sent.Load() - before; n > mostStatements {
					t.Errorf("%q took %d statements, want at most %d", q.Question, n, mostStatements)
				}
				checkAnswer(t, a, files)
				checkLight(t, a)
				if quoted, inSources := answers(t, store, a, q); quoted || inSources {
					found++
				}
			}
			t.Logf("of 10 questions, sources answer %d", found)
			if found < 8 {
				t.Errorf("sources answer %d of 10 questions, want at least 8", found)
			}
		})
	}
	t.Run("without sources", func(t *testing.T) { checkNoSources(t, e) })
	t.Run("keywords of the user", func(t *testing.T) { checkGivenKeywords(t, e) })
	t.Run("a model", func(t *testing.T) {
		server, with := modelled(t, store, sampleBare.corpus)
		checkLightModel(t, server, with)
	})
	t.Run("a model that fails", func(t *testing.T) {
		server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
			if fakemodel.Task(r) == prompts.Keywords {
				return llmtest.Reply{Text: "Scrooge, of course."}
			}
			return fakemodel.Handler(r)
		}})
		t.Cleanup(server.Close)
		a := ask(t, asking(t, store, sampleBare.corpus, server), query.Question{Text: "Who is Scrooge?", Method: "light"})
		if traceOf[light.Trace](a).Keywords.By != "rules" || !slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, "gave no keywords") }) {
			t.Errorf("keywords %+v, notes %q", traceOf[light.Trace](a).Keywords, a.Notes)
		}
	})
	if _, err := e.Ask(t.Context(), query.Question{Text: "who", Method: "light", Mode: "deep"}); !errors.Is(err, query.ErrUnknownMode) {
		t.Errorf("mode deep: %v", err)
	}
}

// checkLight checks what light found: nothing twice, no neighbour that was found itself, and
// the parts that its mode searches.
func checkLight(t *testing.T, a query.Answer) {
	t.Helper()
	l := traceOf[light.Trace](a)
	seen := map[string]string{}
	scored := 0
	for name, hits := range map[string][]query.ScoredSource{"entities": l.Entities, "relationships": l.Relationships, "neighbours": l.Neighbours, "chunks": l.Chunks} {
		for _, h := range hits {
			if seen[h.Key] != "" || h.Name == "" {
				t.Errorf("%q: %+v is among %s and %s", a.Question, h, name, seen[h.Key])
			}
			seen[h.Key] = name
			if name == "entities" && h.Score > 0 {
				scored++
			}
		}
		if len(hits) == 0 {
			t.Errorf("%q found no %s", a.Question, name)
		}
	}
	if l.Mode == "high" && scored > 0 || l.Mode != "high" && scored == 0 {
		t.Errorf("%q by %s: keywords found %d entities", a.Question, l.Mode, scored)
	}
	for i := 1; i < len(l.Neighbours); i++ {
		if l.Neighbours[i-1].Score < l.Neighbours[i].Score {
			t.Errorf("%q: the neighbours are not in the order of their scores", a.Question)
		}
	}
}

// checkNoSources: without sources, no chunk is in the context, and references lead to the
// text through entities and relationships.
func checkNoSources(t *testing.T, e *query.Engine) {
	a := ask(t, e, query.Question{Text: "Who was the partner of Scrooge?", Method: "light", Own: map[string]any{"light": light.Settings{NoSources: true}}})
	if len(a.References) == 0 || len(a.Context) != 2 {
		t.Errorf("%d references, context %+v", len(a.References), a.Context)
	}
	for _, r := range a.References {
		if r.Kind != graph.KindEntity && r.Kind != graph.KindRelationship || r.Quote == "" {
			t.Errorf("reference %+v", r)
		}
	}
}

// checkGivenKeywords: the keywords of the user replace those of the question, and a level
// without keywords is not searched.
func checkGivenKeywords(t *testing.T, e *query.Engine) {
	a := ask(t, e, query.Question{Text: "Who is it?", Method: "light", Own: map[string]any{"light": light.Settings{Low: []string{"Fezziwig"}}}})
	if traceOf[light.Trace](a).Keywords.By != "user" || !slices.ContainsFunc(traceOf[light.Trace](a).Entities, func(h query.ScoredSource) bool { return strings.Contains(h.Name, "Fezziwig") && h.Score > 0 }) {
		t.Errorf("low-level Fezziwig: %+v", traceOf[light.Trace](a))
	}
	for _, h := range traceOf[light.Trace](a).Relationships {
		if h.Score != 0 {
			t.Errorf("without high-level keywords, %+v was searched for", h)
		}
	}
	// Without a node that matches, chunks are searched.
	a = ask(t, e, query.Question{Text: "Who was the partner of Scrooge?", Method: "light", Own: map[string]any{"light": light.Settings{Low: []string{"zeppelin"}}}})
	if len(a.References) == 0 || !slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, "so the chunks were searched") }) {
		t.Errorf("a keyword that nothing matches: %d references, notes %q", len(a.References), a.Notes)
	}
	// A question without keywords is one itself.
	if a := ask(t, e, query.Question{Text: "Who is it?", Method: "light"}); !slices.Equal(traceOf[light.Trace](a).Keywords.Low, []string{"Who is it?"}) {
		t.Errorf("no keywords: %+v", traceOf[light.Trace](a).Keywords)
	}
	// In the mode high, low-level keywords search relationships if there are no others.
	a = ask(t, e, query.Question{Text: "Who is it?", Method: "light", Mode: "high", Own: map[string]any{"light": light.Settings{Low: []string{"Fezziwig"}}}})
	if len(traceOf[light.Trace](a).Relationships) == 0 || traceOf[light.Trace](a).Relationships[0].Score == 0 {
		t.Errorf("mode high with low-level keywords: %+v", traceOf[light.Trace](a))
	}
}

// checkLightModel: one short call before the answer.
func checkLightModel(t *testing.T, server *llmtest.Server, e *query.Engine) {
	a, err := e.Ask(t.Context(), query.Question{Text: "What did Bob Cratchit say to Scrooge?", Method: "light"})
	if err != nil {
		t.Fatal(err)
	}
	if k := traceOf[light.Trace](a).Keywords; k.By != "model" || !slices.Contains(k.Low, "Bob Cratchit") || !slices.Equal(k.High, []string{"meeting"}) {
		t.Errorf("keywords %+v", k)
	}
	if n := count(server, prompts.Keywords); n != 1 || a.Usage.Calls != 2 {
		t.Errorf("%d calls for keywords of %d", n, a.Usage.Calls)
	}
	a = ask(t, e, query.Question{Text: "What did Bob Cratchit say to Scrooge?", Method: "light", Own: map[string]any{"light": light.Settings{High: []string{"conversation"}}}})
	if a.Usage.Calls != 1 || traceOf[light.Trace](a).Keywords.By != "user" {
		t.Errorf("with keywords of the user: %d calls", a.Usage.Calls)
	}
}

// TestLightCost compares what a question costs with the simulated model by light and by
// global. Before its answer, light makes one call with fewer than 100 tokens of output, the
// figure of table 2 of the LightRAG paper.
func TestLightCost(t *testing.T) {
	t.Parallel()
	store := open(t)
	sampleOffline.indexed(t, store)
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	var before, out atomic.Int64 // calls before the answer, and their tokens
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if task := fakemodel.Task(r); task != prompts.Local && task != prompts.Reduce {
			before.Add(1)
			out.Add(int64(counter.Count(reply.Text)))
		}
		return reply
	}})
	t.Cleanup(server.Close)
	e := asking(t, store, sampleOffline.corpus, server)
	questions := carolQuestions(t)
	n := int64(len(questions))
	for _, method := range []string{"light", "global"} {
		before.Store(0)
		out.Store(0)
		var all query.Usage
		for _, q := range questions {
			a, err := e.Ask(t.Context(), query.Question{Text: q.Question, Method: method})
			if err != nil {
				t.Fatal(err)
			}
			all.Calls, all.TokensIn, all.TokensOut = all.Calls+a.Usage.Calls, all.TokensIn+a.Usage.TokensIn, all.TokensOut+a.Usage.TokensOut
		}
		t.Logf("%s, per question: %.1f calls, %d tokens in, %d out; before the answer %.1f calls, %d tokens out",
			method, float64(all.Calls)/float64(n), all.TokensIn/n, all.TokensOut/n, float64(before.Load())/float64(n), out.Load()/n)
		if method == "light" && (before.Load() != n || out.Load() >= 100*n) {
			t.Errorf("light made %d calls with %d tokens before %d answers", before.Load(), out.Load(), n)
		}
	}
}

// TestLightVectors asks a corpus whose vectors a model made: one call embeds the question and
// the keywords of both levels, and vectors find relationships as full text does.
func TestLightVectors(t *testing.T) {
	t.Parallel()
	store := open(t)
	corpus := neo4jtest.Borrow(t, "model")
	server := llmtest.New(llmtest.Options{Dimension: textproc.Dimension})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "none", EmbeddingModel: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	embedder := &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Retry: llm.Retry{Attempts: 2, FirstWait: time.Millisecond}})}
	indexed(t, store, index.Options{Corpus: corpus, WithoutReports: true, Embedder: embedder}, filepath.Join(sample, "stave-1.txt"))
	e, err := query.New(store, query.Options{Corpus: corpus, Embedder: embedder})
	if err != nil {
		t.Fatal(err)
	}
	before := server.Counts().Embeds
	a, err := e.Ask(t.Context(), query.Question{Text: "Who was the partner of Scrooge?", Method: "light", Own: map[string]any{"light": light.Settings{Low: []string{"Scrooge"}, High: []string{"partners", "business"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := server.Counts().Embeds - before; n != 1 {
		t.Errorf("%d calls to embed the question and its keywords, want 1", n)
	}
	for _, hits := range [][]query.ScoredSource{traceOf[light.Trace](a).Entities, traceOf[light.Trace](a).Relationships} {
		both := slices.ContainsFunc(hits, func(h query.ScoredSource) bool { return h.Score > 1./61 })
		if !both {
			t.Errorf("no hit of both full text and vectors: %+v", hits)
		}
	}
	server.Close()
	a, err = e.Ask(t.Context(), query.Question{Text: "Who was the partner of Scrooge?", Method: "light"})
	if err != nil || len(a.References) == 0 || !slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, "could not be embedded") }) {
		t.Errorf("without the embedding model: %d references, notes %q, %v", len(a.References), a.Notes, err)
	}
}
