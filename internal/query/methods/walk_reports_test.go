package methods_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/drift"
	"github.com/neorag/neorag/internal/query/methods/global"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestReportWalks asks by the methods that read reports level by level, over the
// sample and over a deeper hierarchy.
func TestReportWalks(t *testing.T) {
	t.Parallel()
	store := open(t)
	plain := sampleOffline.indexed(t, store)
	corpus := sampleOffline.corpus
	deep := neo4jtest.Borrow(t, "index")
	indexed(t, store, deepOptions(deep), nested(t))
	server, with := modelled(t, store, corpus)
	files := staves(t)
	t.Run("views of the sample", func(t *testing.T) { checkViews(t, store, corpus, server, with) })
	t.Run("views of a deep hierarchy", func(t *testing.T) {
		s, e := modelled(t, store, deep)
		if depth := checkViews(t, store, deep, s, e); depth < 3 {
			t.Errorf("the hierarchy has %d levels, want three at least", depth)
		}
	})
	t.Run("quotes of a model", func(t *testing.T) { checkQuotes(t, with) })
	t.Run("dynamic without a model", func(t *testing.T) { checkDynamic(t, plain, files) })
	t.Run("dynamic with a model", func(t *testing.T) { checkRating(t, server, with, files) })
	t.Run("drift without a model", func(t *testing.T) { checkDriftOffline(t, plain, files) })
	t.Run("drift with a model", func(t *testing.T) { checkDrift(t, server, with, files) })
	t.Run("drift that fails in part", func(t *testing.T) { checkDriftFails(t, store, corpus, files) })
}

// modelled returns an engine with the simulated model.
func modelled(t *testing.T, store *neo4jstore.Store, corpus string) (*llmtest.Server, *query.Engine) {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	t.Cleanup(server.Close)
	return server, asking(t, store, corpus, server)
}

func asking(t *testing.T, store *neo4jstore.Store, corpus string, server *llmtest.Server) *query.Engine {
	t.Helper()
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat()})
	e, err := query.New(store, query.Options{Corpus: corpus, Model: &synth.Model{Map: chat, Answer: chat}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func deepOptions(corpus string) index.Options {
	o := index.Options{Corpus: corpus}
	o.Community.Leiden.MaxSize = 4
	return o
}

// nested writes a document about people in nested groups: those of one group meet
// often, those of neighbouring groups sometimes.
func nested(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	first := []string{"Alda", "Bram", "Corto"}
	last := []string{"Harrow", "Ibsen", "Jarvis", "Keller", "Lorimer", "Mercer", "Norwood", "Ostler"}
	var b strings.Builder
	meet := func(group, i, other, k, times int) {
		for n := range times {
			fmt.Fprintf(&b, "%s %s met %s %s at the mill on day %d. ", first[i], last[group], first[k], last[other], n+1)
		}
	}
	for g := range last {
		for i := range first {
			for k := range i {
				meet(g, i, g, k, 8)
			}
		}
		b.WriteString("\n\n")
	}
	for _, step := range []struct{ distance, times int }{{1, 4}, {2, 3}} {
		for g := range last {
			for i := range first {
				if g/step.distance%2 == 0 {
					meet(g, i, g+step.distance, i, step.times)
				}
			}
		}
		b.WriteString("\n\n")
	}
	meet(0, 0, 4, 0, 1)
	if err := os.WriteFile(filepath.Join(dir, "meetings.txt"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

var head = regexp.MustCompile(`(?m)^Report \d+: .*\n.*`)

// checkViews asks at every level, and at one below the deepest: the map reads each
// report of the view once, and each clustered entity is in exactly one of them.
func checkViews(t *testing.T, store *neo4jstore.Store, corpus string, server *llmtest.Server, e *query.Engine) (depth int) {
	generation, err := store.Generation(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	communities, err := store.Communities(t.Context(), corpus, generation, true)
	if err != nil {
		t.Fatal(err)
	}
	adjacency, err := store.Adjacency(t.Context(), corpus, "count")
	if err != nil {
		t.Fatal(err)
	}
	members := map[string][]string{}
	for _, c := range communities {
		members[c.Key] = c.Members
		depth = max(depth, c.Level+1)
	}
	sizes, err := e.LevelSizes(t.Context(), query.Question{})
	if err != nil || len(sizes.Levels) != depth {
		t.Fatalf("sizes of %d levels, %v; want %d", len(sizes.Levels), err, depth)
	}
	for level := range depth + 1 {
		view, err := store.ReportsOfView(t.Context(), corpus, generation, level)
		if err != nil {
			t.Fatal(err)
		}
		covered := []string{}
		for _, r := range view {
			covered = append(covered, members[r.Community.Key]...)
		}
		slices.Sort(covered)
		if diff := cmp.Diff(adjacency.Keys, covered); diff != "" {
			t.Errorf("level %d: clustered entities, and those covered by its reports (-want +got):\n%s", level, diff)
		}
		l, err := query.ParseLevel(strconv.Itoa(level))
		if err != nil {
			t.Fatal(err)
		}
		server.Reset()
		a, err := e.Ask(t.Context(), query.Question{Method: "global", Text: "Who met whom?", Level: l, MapTokens: 1500})
		if err != nil {
			t.Fatal(err)
		}
		read := map[string]int{}
		total := 0
		for _, r := range server.Requests() {
			if fakemodel.Task(r) == prompts.Map {
				for _, h := range head.FindAllString(fakemodel.Material(r), -1) {
					_, text, _ := strings.Cut(h, ": ")
					title, opens, _ := strings.Cut(text, "\n")
					read[title+opens]++
					total++
				}
			}
		}
		if total != len(view) || a.Usage.ContextItems != len(view) {
			t.Errorf("level %d: the maps read %d reports, the answer counts %d; want %d", level, total, a.Usage.ContextItems, len(view))
		}
		if want := sizes.Levels[min(level, depth-1)]; want.Reports != len(view) || want.Tokens != a.Usage.ContextTokens {
			t.Errorf("level %d: measured %+v, read %d reports of %d tokens", level, want, len(view), a.Usage.ContextTokens)
		}
	}
	return depth
}

var sentence = regexp.MustCompile(`([^\[\]]+) \[(\d+)\]`)

// checkQuotes asks a model that repeats sentences of reports: a reference quotes the
// sentence before it.
func checkQuotes(t *testing.T, e *query.Engine) {
	a := ask(t, e, query.Question{Method: "global", Text: "What happens to Tiny Tim?"})
	checked := 0
	for _, m := range sentence.FindAllStringSubmatch(a.Answer, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil || n > len(a.References) {
			t.Fatalf("reference %s of %d", m[2], len(a.References))
		}
		quote := strings.Join(strings.Fields(a.References[n-1].Quote), " ")
		said := strings.Fields(m[1])
		if end := strings.Join(said[max(0, len(said)-3):], " "); !strings.Contains(quote, strings.TrimRight(end, ".!")) && !strings.Contains(m[1], strings.TrimRight(quote, ".!")) {
			t.Errorf("reference %d quotes %q for %q", n, quote, m[1])
		}
		checked++
	}
	if checked < 2 {
		t.Errorf("%d references in %q", checked, a.Answer)
	}
}

// checkDynamic: without a model, dynamic selection reads a part of the level and reports its size.
func checkDynamic(t *testing.T, e *query.Engine, files map[string]string) {
	q := query.Question{Method: "global", Text: "What happens to Tiny Tim?", Own: map[string]any{"global": global.Settings{Dynamic: true}}}
	a := ask(t, e, q)
	checkAnswer(t, a, files)
	s := traceOf[global.Selection](a)
	if s.Reports == 0 || s.Tokens*2 > s.ViewTokens || s.Reports != a.Usage.ContextItems || s.Tokens != a.Usage.ContextTokens || s.Rated+s.Calls > 0 {
		t.Errorf("selection %+v, usage %+v; want less than half of the level", s, a.Usage)
	}
	if !strings.Contains(strings.Join(a.Notes, "\n"), fmt.Sprintf("level 2 has %d reports", s.ViewReports)) {
		t.Errorf("notes: %q", a.Notes)
	}
	if !strings.Contains(a.Answer, "Tim") {
		t.Errorf("got %q", a.Answer)
	}
	root, err := query.ParseLevel("root")
	if err != nil {
		t.Fatal(err)
	}
	whole := ask(t, e, query.Question{Method: "global", Text: "What happens to Tiny Tim?", Level: root})
	chosen := ask(t, e, query.Question{Method: "global", Text: "What are the main themes of the story?", Own: map[string]any{"global": global.Settings{Dynamic: true}}})
	if whole.Usage.ContextItems != chosen.Usage.ContextItems {
		t.Errorf("a question about the whole reads %d reports, want the %d of the root level", chosen.Usage.ContextItems, whole.Usage.ContextItems)
	}
	none := ask(t, e, query.Question{Method: "global", Text: "How do quantum chromodynamics explain quarks?", Own: map[string]any{"global": global.Settings{Dynamic: true}}})
	if traceOf[global.Selection](none).Reports != 0 || !strings.Contains(none.Answer, "closest") {
		t.Errorf("a question that no report answers: %+v, %q", traceOf[global.Selection](none), none.Answer)
	}
}

// ask asks twice and expects the same answer.
func ask(t *testing.T, e *query.Engine, q query.Question) query.Answer {
	t.Helper()
	a, err := e.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, again, cmpopts.IgnoreFields(query.Answer{}, "Seconds")); diff != "" {
		t.Errorf("asked again (-first +second):\n%s", diff)
	}
	return a
}

// checkRating: a model rates many reports in a call, within the limit of calls.
func checkRating(t *testing.T, server *llmtest.Server, e *query.Engine, files map[string]string) {
	for _, calls := range []int{0, 1, 2} {
		server.Reset()
		q := query.Question{Method: "global", Text: "What happens to Tiny Tim?", Own: map[string]any{"global": global.Settings{Dynamic: true, MaxCalls: calls}}}
		a, err := e.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		rated := count(server, prompts.Rate)
		s := traceOf[global.Selection](a)
		if s.Calls != rated || calls > 0 && rated > calls || rated == 0 || s.Rated < 2*rated {
			t.Errorf("at most %d calls: %d were made, %+v", calls, rated, s)
		}
		if s.Reports == 0 || s.Tokens >= s.ViewTokens || s.RatedTokens == 0 {
			t.Errorf("at most %d calls: %+v", calls, s)
		}
		a.Dangling = 0 // the simulated model cites a report that does not exist
		checkAnswer(t, a, files)
	}
	a := ask(t, e, query.Question{Method: "global", Text: "What happens to Tiny Tim?", Own: map[string]any{"global": global.Settings{Dynamic: true}}})
	if traceOf[global.Selection](a).Calls > 16 {
		t.Errorf("%d calls", traceOf[global.Selection](a).Calls)
	}
	none, err := e.Ask(t.Context(), query.Question{Method: "global", Text: "Quantum chromodynamics?", Own: map[string]any{"global": global.Settings{Dynamic: true, MaxCalls: 5}}})
	if err != nil || traceOf[global.Selection](none).Reports != 0 || traceOf[global.Selection](none).Calls > 5 || !strings.Contains(none.Answer, "closest") {
		t.Errorf("a question that no report answers: %+v, %q, %v", traceOf[global.Selection](none), none.Answer, err)
	}
}

func count(server *llmtest.Server, tasks ...string) int {
	n := 0
	for _, r := range server.Requests() {
		if slices.Contains(tasks, fakemodel.Task(r)) {
			n++
		}
	}
	return n
}

func checkDriftOffline(t *testing.T, e *query.Engine, files map[string]string) {
	a := ask(t, e, query.Question{Text: "What happens to Tiny Tim?", Method: "drift"})
	checkAnswer(t, a, files)
	if len(traceOf[drift.FollowUps](a)) < 2 || len(traceOf[drift.FollowUps](a)) > 14 || !strings.Contains(a.Answer, "Tim") {
		t.Errorf("%d follow-up questions; got %q", len(traceOf[drift.FollowUps](a)), a.Answer)
	}
	for line := range strings.SplitSeq(a.Answer, "\n") {
		if strings.HasPrefix(line, "- ") && !number.MatchString(line) {
			t.Errorf("a statement without a reference: %q", line)
		}
	}
	one := ask(t, e, query.Question{Text: "What happens to Tiny Tim?", Method: "drift", Own: map[string]any{"drift": drift.Settings{MaxCalls: 3}}})
	if len(traceOf[drift.FollowUps](one)) != 1 || traceOf[drift.FollowUps](one)[0] != traceOf[drift.FollowUps](a)[0] {
		t.Errorf("three calls: follow-up questions %+v, want the first of %+v", traceOf[drift.FollowUps](one), traceOf[drift.FollowUps](a))
	}
	small := ask(t, e, query.Question{Text: "What happens to Tiny Tim?", Method: "drift", Own: map[string]any{"drift": drift.Settings{MaxTokens: 6000}}})
	if small.Usage.ContextTokens > 6000 || small.Usage.ContextTokens >= a.Usage.ContextTokens {
		t.Errorf("at most 6,000 tokens: read %d, without the limit %d", small.Usage.ContextTokens, a.Usage.ContextTokens)
	}
	none := ask(t, e, query.Question{Text: "How do quantum chromodynamics explain quarks?", Method: "drift"})
	if len(none.References) != 0 || !strings.Contains(none.Answer, "closest") {
		t.Errorf("a question that nothing answers: got %+v", none)
	}
}

// checkDrift: drift with a model keeps its limits and asks nothing twice.
func checkDrift(t *testing.T, server *llmtest.Server, e *query.Engine, files map[string]string) {
	server.Reset()
	a, err := e.Ask(t.Context(), query.Question{Text: "What happens to Tiny Tim?", Method: "drift", Own: map[string]any{"drift": drift.Settings{MaxCalls: 9}}})
	if err != nil {
		t.Fatal(err)
	}
	calls := server.Counts().Chats
	if a.Usage.Calls != int64(calls) || calls > 9 || count(server, prompts.Drift) != 1 || count(server, prompts.Reduce) != 1 || count(server, prompts.DriftFollow) != len(traceOf[drift.FollowUps](a)) {
		t.Errorf("%d calls for %d follow-up questions; the answer counts %d", calls, len(traceOf[drift.FollowUps](a)), a.Usage.Calls)
	}
	asked := map[string]bool{}
	for _, f := range traceOf[drift.FollowUps](a) {
		form := strings.ToLower(strings.TrimRight(f.Question, "?"))
		if asked[form] {
			t.Errorf("%q was asked twice", f.Question)
		}
		asked[form] = true
	}
	if len(asked) < 3 {
		t.Errorf("follow-up questions: %+v", traceOf[drift.FollowUps](a))
	}
	a.Dangling = 0 // the simulated model cites a report that does not exist
	checkAnswer(t, a, files)
	ask(t, e, query.Question{Text: "What happens to Tiny Tim?", Method: "drift", Seed: 3, Own: map[string]any{"drift": drift.Settings{MaxCalls: 6}}})
}

// checkDriftFails: a note counts the follow-up questions that failed, and the rest answers.
func checkDriftFails(t *testing.T, store *neo4jstore.Store, corpus string, files map[string]string) {
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: func(r llmtest.Request) *llmtest.Reply {
		if fakemodel.Task(r) == prompts.DriftFollow {
			return &llmtest.Reply{Text: `{"points": [`, Finish: "length"}
		}
		return nil
	}})
	t.Cleanup(server.Close)
	a, err := asking(t, store, corpus, server).Ask(t.Context(), query.Question{Text: "What happens to Tiny Tim?", Method: "drift", Own: map[string]any{"drift": drift.Settings{MaxCalls: 5}}})
	if err != nil {
		t.Fatal(err)
	}
	// The third follow-up question finds nothing to read.
	if !strings.Contains(strings.Join(a.Notes, "\n"), "2 of 2 follow-up questions could not be answered") || len(traceOf[drift.FollowUps](a)) != 0 {
		t.Errorf("notes %q, follow-up questions %+v", a.Notes, traceOf[drift.FollowUps](a))
	}
	a.Dangling = 0 // the simulated model cites a report that does not exist
	checkAnswer(t, a, files)
}
