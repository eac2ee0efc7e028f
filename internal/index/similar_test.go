package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// gallery are notes with similar names, of which some are those of the same entity.
func gallery() map[string]string {
	return map[string]string{
		"a.txt": "In 1921 Clara Hale worked for the North Atlantic Treaty Organization in Glasgow. Clara Hale said that she met Tobias Reed there.",
		"b.txt": "In 1934 Hale said that the harbour burned. Hale told Mary Quill about Nato in Port Ellen. Mary Quill thanked Hale.",
	}
}

func similar(o index.Options) index.Options {
	o.Names = index.NamesSimilar
	return o
}

// pairsOf returns what a corpus holds of the pairs of names that a model was asked about.
func pairsOf(t *testing.T, store *neo4jstore.Store, corpus string) []graph.NamePair {
	t.Helper()
	pairs, err := store.NamePairs(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// decide gives a corpus that does not exist yet the decisions and pairs of another one.
func decide(t *testing.T, store *neo4jstore.Store, corpus, like string) {
	t.Helper()
	c, err := store.Corpus(t.Context(), like)
	if err != nil {
		t.Fatal(err)
	}
	pairs := pairsOf(t, store, like)
	err = store.WithWriter(t.Context(), corpus, "decide", 0, func(ctx context.Context, w *neo4jstore.Writer) error {
		return errors.Join(w.CreateCorpus(ctx), w.WriteNamePairs(ctx, pairs), w.SetNameDecisions(ctx, c.Decisions, nil))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkNames compares the entities of a corpus with those of a new one with the same decisions, and
// checks that another run has nothing to do. It returns the names of the entities.
func checkNames(t *testing.T, store *neo4jstore.Store, o index.Options, docs string) map[string]string {
	t.Helper()
	if idle := run(t, store, o, docs); idle.Writes != 0 || len(idle.Stages) > 0 {
		t.Errorf("a second run wrote %d times: %+v", idle.Writes, idle.Stages)
	}
	got := dump(t, store, o.Corpus, "evidence")
	fresh := corpusFor(t, o)
	decide(t, store, fresh, o.Corpus)
	again := o
	again.Corpus = fresh
	run(t, store, again, docs)
	same(t, dump(t, store, fresh, "evidence"), got)
	if problems, err := index.CheckGraph(t.Context(), store, o.Corpus); err != nil || len(problems) > 0 {
		t.Errorf("%+v, %v", problems, err)
	}
	return entityNames(t, got)
}

// TestSimilarNames: the model joins similar names, with their claims, and is asked once.
func TestSimilarNames(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := folder(t, gallery())
	server, with := model(t, llmtest.Options{}, "")
	o := similar(with(options(name)))
	r := run(t, store, o, docs)
	for _, s := range r.Stages {
		if s.Name == "derive" && (s.Calls != int64(tasks(server)[prompts.SameNames]) || s.Calls != 1 || s.Cost == 0) {
			t.Errorf("stage derive: %+v, asked %v", s, tasks(server))
		}
	}
	if r.Calls != int64(server.Counts().Requests) || r.Exit != 0 {
		t.Errorf("got %+v and %d requests", r, server.Counts().Requests)
	}
	got := checkNames(t, store, o, docs)
	if got["clara hale"] != "Clara Hale|Hale" || got["north atlantic treaty organization"] != "Nato|North Atlantic Treaty Organization" || got["hale"]+got["nato"] != "" {
		t.Errorf("entities %q", got)
	}
	if graph := dump(t, store, name, "evidence"); strings.Count(graph, `"to":"clara hale","to_node":"Entity"`) == 0 || strings.Contains(graph, `"to":"hale"`) {
		t.Error("an edge ends at a name that is joined")
	}
}

// TestUpdateOfSimilarNames: an update asks only about new names, a person has the last word, and pairs
// of names that are gone are deleted.
func TestUpdateOfSimilarNames(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := folder(t, gallery())
	server, with := model(t, llmtest.Options{}, "")
	o := similar(with(options(name)))
	run(t, store, o, docs)
	server.Reset()
	write(t, filepath.Join(docs, "c.txt"), "In 1935 Edwin Hale met Mary Quill at Nato in London.")
	run(t, store, o, docs)
	var asked []string
	for _, r := range server.Requests() {
		if fakemodel.Task(r) == prompts.SameNames {
			asked = append(asked, fakemodel.Material(r))
		}
	}
	for pair := range strings.SplitSeq(strings.Join(asked, "\n\n"), "\n\n") {
		if !strings.Contains(pair, "- Edwin Hale (") && !strings.Contains(pair, "- London (") {
			t.Errorf("the update asked again about\n%s", pair)
		}
	}
	if got := checkNames(t, store, o, docs); len(asked) == 0 || got["edwin hale"] != "Edwin Hale" || got["clara hale"] != "Clara Hale|Hale" {
		t.Errorf("the namesake has the entities %q, after %d questions", got, len(asked))
	}

	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.SplitName(t.Context(), "Nato"); err != nil {
		t.Fatal(err)
	}
	run(t, store, o, docs)
	if got := checkNames(t, store, o, docs); got["nato"] != "Nato" || got["north atlantic treaty organization"] != "North Atlantic Treaty Organization" {
		t.Errorf("after the split the entities are %q", got)
	}
	write(t, filepath.Join(docs, "d.txt"), "Nato met Hale.")
	run(t, store, o, docs)
	if got := checkNames(t, store, o, docs); got["nato"] != "Nato" {
		t.Errorf("after an update of a split name the entities are %q", got)
	}
	if err := os.Remove(filepath.Join(docs, "c.txt")); err != nil {
		t.Fatal(err)
	}
	run(t, store, o, docs)
	checkNames(t, store, o, docs)
	for _, p := range pairsOf(t, store, name) {
		if p.A == "edwin hale" || p.B == "edwin hale" {
			t.Errorf("the pair %+v is kept", p)
		}
	}
}

// TestSimilarNamesOfAnOlderCorpus: the setting joins the names of a corpus that was made without it,
// which keeps it; exact names are those of before.
func TestSimilarNamesOfAnOlderCorpus(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, gallery())
	_, with := model(t, llmtest.Options{}, "")
	offline := func(o index.Options) index.Options { return o }
	for _, tt := range []struct {
		name string
		with func(index.Options) index.Options
	}{{"model", with}, {"offline", offline}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name := corpusFor(t, tt.with(index.Options{}))
			o := tt.with(options(name))
			run(t, store, o, docs)
			before := dump(t, store, name, "evidence")
			if n := entityNames(t, before); n["hale"] == "" || n["clara hale"] == "" {
				t.Errorf("exact names are %q", n)
			}
			run(t, store, similar(tt.with(options(name))), docs)
			o = tt.with(options(name))
			if idle := run(t, store, o, docs); idle.Writes != 0 {
				t.Errorf("a run without the setting wrote %d times", idle.Writes)
			}
			o = similar(o)
			if got := checkNames(t, store, o, docs); got["clara hale"] != "Clara Hale|Hale" {
				t.Errorf("similar names are %q", got)
			}
			o.Names = index.NamesExact
			run(t, store, o, docs)
			same(t, before, dump(t, store, name, "evidence"))
			if idle := run(t, store, o, docs); idle.Writes != 0 {
				t.Errorf("a run after it wrote %d times", idle.Writes)
			}
		})
	}
}

// TestSimilarNamesFail: a model that cannot decide fails no run, and the next one asks again.
func TestSimilarNamesFail(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, gallery())
	whole := modelCorpus(t)
	_, with := model(t, llmtest.Options{}, "")
	run(t, store, similar(with(options(whole))), docs)
	want := dump(t, store, whole, "evidence")
	for _, reply := range faulttest.Sample(t, []llmtest.Reply{
		{Text: "I cannot help with that."}, {Text: `{"pairs":[{"pair":77,"same":true}]}`}, {Text: `{"pairs":`}, {Status: 500}, {Status: 400, Message: "refused"}, {Status: 401, Message: "no"},
	}, 2) {
		t.Run(strconv.Itoa(reply.Status)+reply.Text, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			broken.Store(true)
			_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
				if broken.Load() && fakemodel.Task(r) == prompts.SameNames {
					return reply
				}
				return fakemodel.Handler(r)
			}}, "")
			name := modelCorpus(t)
			o := similar(with(options(name)))
			r := run(t, store, o, docs)
			if noted := strings.Join(r.Notes, "\n"); r.Exit != 0 || len(r.Failures) > 0 || !strings.Contains(noted, "could not be decided") {
				t.Errorf("exit %d, failures %v, notes %s", r.Exit, r.Failures, noted)
			}
			if n := entityNames(t, dump(t, store, name, "evidence")); n["hale"] == "" || n["clara hale"] == "" || len(pairsOf(t, store, name)) > 0 {
				t.Errorf("without an answer the entities are %q", n)
			}
			broken.Store(false)
			run(t, store, o, docs)
			same(t, want, dump(t, store, name, "evidence"))
			if idle := run(t, store, o, docs); idle.Writes != 0 || len(idle.Stages) > 0 {
				t.Errorf("a run after it wrote %d times: %+v", idle.Writes, idle.Stages)
			}
		})
	}
}

// TestSimilarNamesKilled kills runs that join names, with and without a model and in a new and an
// older corpus. The next run makes the same graph.
func TestSimilarNamesKilled(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, gallery())
	_, with := model(t, llmtest.Options{}, t.TempDir())
	offline := func(o index.Options) index.Options { return o }
	for _, tt := range []struct {
		name  string
		with  func(index.Options) index.Options
		older bool
	}{{"model", with, false}, {"older, model", with, true}, {"offline", offline, false}, {"older, offline", offline, true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			prepare := func(name string) {
				neo4jtest.Wipe(t, name)
				if tt.older {
					run(t, store, tt.with(options(name)), docs)
				}
			}
			whole, name, count := corpusFor(t, tt.with(index.Options{})), corpusFor(t, tt.with(index.Options{})), &killer{left: 1 << 30}
			prepare(whole)
			run(t, open(t, count.fault), similar(tt.with(options(whole))), docs)
			part := ""
			if tt.older { // communities started from those of before, at other points
				part = "evidence"
			}
			want := dump(t, store, whole, part)
			if n := entityNames(t, want); n["hale"] != "" {
				t.Fatalf("the entities are %q", n)
			}
			for _, place := range faulttest.Points(t, count.seen, 1) {
				faulttest.AtOrBefore(t, place, func(n int) bool {
					prepare(name)
					k := &killer{left: n - 1}
					_, err := try(t, open(t, k.fault), similar(tt.with(options(name))), docs)
					if err == nil && k.left >= 0 {
						return false
					}
					if !errors.Is(err, errKilled) {
						t.Fatalf("killed after %d: got %v, want %v", n-1, err, errKilled)
					}
					o := similar(tt.with(options(name)))
					run(t, store, o, docs)
					same(t, want, dump(t, store, name, part))
					if got := pairsOf(t, store, name); !cmp.Equal(pairsOf(t, store, whole), got) {
						t.Errorf("killed after %d: the pairs are %v", n-1, got)
					}
					if idle := run(t, store, o, docs); idle.Writes != 0 || len(idle.Stages) > 0 {
						t.Errorf("killed after %d: the run after the next wrote %d times", n-1, idle.Writes)
					}
					return true
				})
			}
		})
	}
}

// TestRandomEditsOfSimilarNames: after random edits, the names that the strict rules join are those of a
// new corpus.
func TestRandomEditsOfSimilarNames(t *testing.T) {
	t.Parallel()
	neo4jtest.Server(t) // skips without a server
	var joined atomic.Int64
	sequences := 1
	if faulttest.All() {
		sequences = 4
	}
	t.Run("seeds", func(t *testing.T) {
		for seed := range sequences {
			t.Run(strconv.Itoa(seed), func(t *testing.T) {
				t.Parallel()
				editSimilarNames(t, edits(5).Example(seed+40), &joined)
			})
		}
	})
	if joined.Load() == 0 {
		t.Error("no names were joined")
	}
}

// editSimilarNames makes edits, and counts the surnames that are joined after each.
func editSimilarNames(t *testing.T, all []edit, joined *atomic.Int64) {
	t.Helper()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	files := map[string]bool{"one.txt": true, "two.txt": true, "deep/three.txt": true}
	docs := folder(t, town())
	for i, e := range all {
		if i%2 == 0 { // a document with surnames only
			e.Kind = "add"
			for j, s := range e.Sentences {
				e.Sentences[j] = strings.NewReplacer("Mary Quill", "Quill", "Clara Hale", "Hale", "Victor Lang", []string{"Lang", "Mrs. Lang", "Hans Lang"}[i/2%3]).Replace(s)
			}
		}
		e.apply(t, docs, files, i)
		run(t, store, similar(options(live)), docs)
		neo4jtest.Wipe(t, fresh)
		run(t, store, similar(options(fresh)), docs)
		got := dump(t, store, live, "evidence")
		same(t, dump(t, store, fresh, "evidence"), got)
		if idle := run(t, store, similar(options(live)), docs); idle.Writes != 0 {
			t.Errorf("after %+v, a second run wrote %d times", e, idle.Writes)
		}
		for _, names := range entityNames(t, got) {
			for _, full := range []string{"Mary Quill", "Clara Hale", "Victor Lang"} {
				if names := strings.Split(names, "|"); slices.Contains(names, full) && slices.Contains(names, strings.Fields(full)[1]) {
					joined.Add(1)
				}
			}
		}
	}
}

// TestEstimateOfNames: the estimated calls are those of the run.
func TestEstimateOfNames(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := folder(t, gallery())
	_, with := model(t, llmtest.Options{Handler: counted(t)}, "")
	check := func(step string, least int64) {
		t.Helper()
		e := estimate(t, similar(with(options(name))), docs)
		r := run(t, store, similar(with(options(name))), docs)
		for _, s := range e.Stages {
			var made index.StageResult // none if there is nothing to do
			if at := slices.IndexFunc(r.Stages, func(done index.StageResult) bool { return done.Name == s.Name }); at >= 0 {
				made = r.Stages[at]
			}
			if s.Name == "derive" && (s.Calls != made.Calls || s.Calls < least || !within(s.TokensIn, made.TokensIn, inWithin) && least > 0) {
				t.Errorf("%s: estimated %+v, made %+v", step, s, made)
			}
		}
		if !slices.ContainsFunc(e.Stages, func(s index.StageEstimate) bool { return s.Name == "derive" }) {
			t.Errorf("%s: no estimate for names: %+v", step, e.Stages)
		}
	}
	check("new", 1)
	check("nothing to do", 0)
	write(t, filepath.Join(docs, "c.txt"), "Mary Quill came to Port Ellan in 1934. Tobias Reed met Mary Quill in Port Ellan.") // a location for rules too
	check("a new name", 1)
}
