package methods_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/qcg"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestQCG asks the sample by its pairs: with every node choice and number of hops, in a filter,
// and with Doc2Query.
func TestQCG(t *testing.T) {
	t.Parallel()
	store := open(t)
	e := sampleQueries.indexed(t, store)
	files := staves(t)
	answered := 0 // by some nodes the chunks that are found do not hold the answer
	ask := func(q query.Question) query.Answer {
		t.Helper()
		q.Text = "Who was the partner of Scrooge?"
		a, err := e.Ask(t.Context(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if len(a.References) > 0 {
			answered++
			checkAnswer(t, a, files)
		}
		return a
	}
	for _, hops := range []int{-1, 1, 2} {
		for _, node := range qcg.Nodes() {
			a := ask(query.Question{Method: "qcg", Own: map[string]any{"qcg": qcg.Settings{Hops: hops, Node: node}}})
			checkPairs(t, a, hops)
			if node == qcg.NodePair && !strings.Contains(a.Answer, "Scrooge and he were partners") {
				t.Errorf("%d hops: the best pair says who was the partner, the answer does not:\n%s", hops, a.Answer)
			}
			if again := ask(query.Question{Method: "qcg", Own: map[string]any{"qcg": qcg.Settings{Hops: hops, Node: node}}}); !cmp.Equal(traceOf[qcg.Trace](a), traceOf[qcg.Trace](again)) || a.Answer != again.Answer {
				t.Errorf("%s, %d hops: asked again, the answer differs", node, hops)
			}
		}
	}
	if answered < 8 {
		t.Errorf("%d questions are answered, want a third of 24", answered)
	}
	few := traceOf[qcg.Trace](ask(query.Question{Method: "qcg", Own: map[string]any{"qcg": qcg.Settings{Pairs: 3, Gamma: 1.2, TopChunks: 1}}}))
	readFew := slices.DeleteFunc(slices.Clone(few.Chunks), func(c qcg.PairChunk) bool { return !c.Read })
	if len(few.Retrieved) > 3 || len(readFew) != 1 || readFew[0].Pairs[0] != few.Retrieved[0].Key {
		t.Errorf("3 pairs and one chunk: %d pairs, chunks %+v", len(few.Retrieved), few.Chunks)
	}
	for _, h := range few.Retrieved {
		if h.Score < few.Settings[0].Least {
			t.Errorf("the score %.3f is below %.3f", h.Score, few.Settings[0].Least)
		}
	}
	none, err := e.Ask(t.Context(), query.Question{Text: "Who was the partner of Scrooge?", Method: "qcg", Own: map[string]any{"qcg": qcg.Settings{Gamma: 2}}})
	if err != nil || len(traceOf[qcg.Trace](none).Retrieved) > 0 || len(none.References) > 0 || len(none.Notes) == 0 {
		t.Errorf("gamma 2: %+v, %v", none, err)
	}
	for _, method := range []string{"qcg", "d2q", "d2q--"} {
		a := ask(query.Question{Method: method, Filter: query.Filter{Documents: []string{"stave-1"}}})
		for _, r := range a.References {
			if !strings.HasSuffix(r.Document, "stave-1.txt") {
				t.Errorf("%s in stave-1: reference to %s", method, r.Document)
			}
		}
	}
	found, err := e.Retrieve(t.Context(), query.Question{Text: "Who was the partner of Scrooge?", Method: "qcg", Tuning: retrieve.Tuning{"n": 5, "hops": 0, "gamma": 1, "k": 2, "node": 1}})
	if err != nil || len(found.Documents) == 0 {
		t.Errorf("Retrieve: %v, %v", found, err)
	}
	plain := sampleBare.indexed(t, store)
	for _, method := range []string{"qcg", "d2q", "d2q--"} {
		if _, err := plain.Ask(t.Context(), query.Question{Text: "who", Method: method}); !errors.Is(err, query.ErrNotIndexed) {
			t.Errorf("%s without pairs: got %v, want ErrNotIndexed", method, err)
		}
	}
	if _, err := e.Ask(t.Context(), query.Question{Text: "who", Method: "qcg", Own: map[string]any{"qcg": qcg.Settings{Node: "word"}}}); !errors.Is(err, query.ErrUnknownMode) {
		t.Errorf("node word: %v", err)
	}
}

// TestStoredSentences asks by sentences that are nodes: the vector index finds most of what a
// comparison with all sentences in memory finds, a search in a filter finds all.
func TestStoredSentences(t *testing.T) {
	t.Parallel()
	store := open(t)
	without := sampleQueries.indexed(t, store)
	ask := func(e *query.Engine, q query.Question) qcg.Trace {
		t.Helper()
		q.Text, q.Method = "Who was the partner of Scrooge?", "qcg"
		settings := query.SettingsOf[qcg.Settings](q, "qcg")
		settings.Node = qcg.NodeSentence
		q.SetOwn("qcg", settings)
		a, err := e.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return traceOf[qcg.Trace](a)
	}
	questions := []query.Question{
		{Own: map[string]any{"qcg": qcg.Settings{Hops: -1}}},
		{Own: map[string]any{"qcg": qcg.Settings{Hops: 1}}},
		{Own: map[string]any{"qcg": qcg.Settings{Hops: 2}}},
		{Filter: query.Filter{Documents: []string{"stave-1"}}, Own: map[string]any{"qcg": qcg.Settings{Hops: -1}}},
		{Filter: query.Filter{Documents: []string{"stave-1"}}, Own: map[string]any{"qcg": qcg.Settings{Hops: 2}}},
	}
	inMemory := make([]qcg.Trace, len(questions))
	for i, q := range questions {
		inMemory[i] = ask(without, q)
	}
	o := withQueries(neo4jtest.Borrow(t, "artifacts"))
	o.With = append(o.With, "sentences")
	e := indexed(t, store, o, sample)
	for i, q := range questions {
		want, got := map[string]float64{}, ask(e, q)
		for _, h := range slices.Concat(inMemory[i].Retrieved, inMemory[i].Added) {
			want[strings.TrimPrefix(h.Key, sampleQueries.corpus)] = h.Score
		}
		all, found := slices.Concat(got.Retrieved, got.Added), 0
		for _, h := range all {
			if score, ok := want[strings.TrimPrefix(h.Key, o.Corpus)]; ok && math.Abs(score-h.Score) < 1e-4 {
				found++
			}
		}
		least := len(want) * 7 / 10 // the vector index misses some
		if len(q.Filter.Documents) > 0 {
			least = len(want)
		}
		if len(all) == 0 || found < least {
			t.Errorf("%+v: found %d of %d sentences, in all %d", q, found, len(want), len(all))
		}
	}
}

// checkPairs checks what qcg found: no pair twice, none further away than asked for, and each
// chunk with the mean of its pairs, best first.
func checkPairs(t *testing.T, a query.Answer, hops int) {
	t.Helper()
	p := traceOf[qcg.Trace](a)
	scores := map[string]float64{}
	for _, h := range slices.Concat(p.Retrieved, p.Added) {
		if _, twice := scores[h.Key]; twice {
			t.Errorf("%s is found twice", h.Key)
		}
		if scores[h.Key] = h.Score; h.Hop > max(0, hops) {
			t.Errorf("%s is %d hops away", h.Key, h.Hop)
		}
	}
	if len(p.Retrieved) == 0 || hops < 0 && len(p.Added) > 0 {
		t.Errorf("%s: %d pairs retrieved and %d added with %d hops", p.Node, len(p.Retrieved), len(p.Added), hops)
	}
	in, read := 0, 0
	for i, c := range p.Chunks {
		if c.Read {
			read++
		}
		if slices.Contains(c.Pairs, p.Retrieved[0].Key) && !c.Read {
			t.Errorf("%s has the best pair and is not read", c.Name)
		}
		sum := 0.
		for _, key := range c.Pairs {
			sum += scores[key]
		}
		in += len(c.Pairs)
		if mean := sum / float64(len(c.Pairs)); !cmp.Equal(mean, c.Score, cmpopts.EquateApprox(0, 1e-9)) || i > 0 && c.Score > p.Chunks[i-1].Score+1e-12 {
			t.Errorf("chunk %d %s has the score %g, the mean of its pairs is %g", i, c.Name, c.Score, mean)
		}
		if math.IsNaN(c.Score) {
			t.Error("a score is not a number")
		}
	}
	if read != min(5, len(p.Chunks)) {
		t.Errorf("%d of %d chunks are read", read, len(p.Chunks))
	}
	if in != len(scores) {
		t.Errorf("chunks have %d pairs of %d", in, len(scores))
	}
}
