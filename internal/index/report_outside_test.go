package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// hashedContexts writes reports that consist of the hash of what they were written from, and
// counts those that were shown relationships to others.
func hashedContexts(outside *atomic.Int64) func(llmtest.Request) llmtest.Reply {
	return func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) != prompts.Report {
			return fakemodel.Handler(r)
		}
		context := fakemodel.Material(r)
		if strings.Contains(context, "Relationships to others\n") {
			outside.Add(1)
		}
		return llmtest.Reply{Text: fmt.Sprintf(`{"title": "Context %s", "summary": "It says so [Data: Entities (1)].", "rating": 5, "rating_explanation": "", "findings": []}`, graph.Hash(context))}
	}
}

// titlesOf returns the titles of the reports by the key of their community without its corpus.
func titlesOf(t *testing.T, store *neo4jstore.Store, corpus string) map[string]string {
	t.Helper()
	titles := map[string]string{}
	_, reports := reportsOf(t, store, corpus)
	for key, r := range reports {
		titles[graph.Local(key)] = r.Title
	}
	return titles
}

// TestReportsFollowRelationshipsOutside edits relationships between communities. After that every
// report is what it is in a new corpus, and a run without changes writes nothing.
func TestReportsFollowRelationshipsOutside(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	var outside atomic.Int64
	server, with := model(t, llmtest.Options{Handler: hashedContexts(&outside)}, "")
	settings := func(name string) index.Options {
		o := with(options(name))
		o.Model.Claims, o.Model.ReportSmall, o.Community.Leiden.MaxSize, o.FreshShare = extract.ClaimsNone, true, 4, -1
		return o
	}
	files := villages()
	// The simulated model describes an entity by the first sentence, so that the edit of the last
	// one changes the relationship and neither of its ends.
	files["link.txt"] = "Dora Moor sang. Mona Moor danced. Dora Moor met Mona Moor in the spring."
	files["letter.txt"] = "Emil Moor wrote to Nils Moor. Emil Moor wrote to Nils Moor again."
	docs := folder(t, files)
	live := settings(modelCorpus(t))
	run(t, store, live, docs)
	for _, edit := range []struct{ name, file, text string }{
		{"another description", "link.txt", "Dora Moor sang. Mona Moor danced. Dora Moor met Mona Moor in the autumn."},
		{"one more", "more.txt", "Fred Moor met Olga Moor at the mill."},
		{"gone", "letter.txt", ""},
	} {
		if edit.text == "" {
			if err := os.Remove(filepath.Join(docs, edit.file)); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, filepath.Join(docs, edit.file), edit.text)
		}
		if r := run(t, store, live, docs); r.Reports.Rewritten == 0 || r.Reports.Kept == 0 {
			t.Errorf("%s: %+v", edit.name, r.Reports)
		}
	}
	calls := len(server.Requests())
	if idle := run(t, store, live, docs); idle.Writes != 0 || len(server.Requests()) != calls {
		t.Errorf("a run without changes: %d writes, %d calls", idle.Writes, len(server.Requests())-calls)
	}
	fresh := settings(modelCorpus(t))
	run(t, store, fresh, docs)
	got, want, compared := titlesOf(t, store, live.Corpus), titlesOf(t, store, fresh.Corpus), 0
	for key, title := range got {
		if other, ok := want[key]; ok {
			compared++
			if title != other {
				t.Errorf("the report of %s is not the one of a new corpus", key)
			}
		}
	}
	if compared < 4 {
		t.Errorf("only %d communities are in both corpora: %v and %v", compared, got, want)
	}
	if outside.Load() == 0 {
		t.Error("no report was shown relationships to others")
	}
}

// TestSmallCommunities: a model writes the reports of communities of four entities or more, and of
// all with ReportSmall.
func TestSmallCommunities(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, map[string]string{
		"large.txt": "Anna Moor met Bela Moor. Bela Moor met Carl Moor. Carl Moor met Dora Moor. Dora Moor met Anna Moor. Anna Moor met Carl Moor.",
		"small.txt": "Xena Hull met Yara Hull. Yara Hull met Zora Hull.",
	})
	_, with := model(t, llmtest.Options{}, "")
	o := with(options(modelCorpus(t)))
	o.Model.Claims, o.AllowRedo = extract.ClaimsNone, true
	for _, small := range []bool{false, true, false} {
		o.Model.ReportSmall, o.Model.MaxReports = small, 1
		if small {
			o.Model.MaxReports = 0
		}
		run(t, store, o, docs)
		communities, reports := reportsOf(t, store, o.Corpus)
		sizes := map[bool]int{}
		for _, c := range communities {
			isSmall := len(c.Members) < 4
			sizes[isSmall]++
			want := "simulated"
			if isSmall && !small {
				want = "extractive"
			}
			if got := reports[c.Key].Model; got != want {
				t.Errorf("ReportSmall %v: the report of %d entities is by %s, want %s", small, len(c.Members), got, want)
			}
		}
		if sizes[true] == 0 || sizes[false] == 0 {
			t.Fatalf("communities by whether they are small: %v", sizes)
		}
	}
}
