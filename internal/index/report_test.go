package index_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// numberedReports answers like the simulated model, except that the titles of reports
// are numbered.
func numberedReports(written *atomic.Int64) func(llmtest.Request) llmtest.Reply {
	return func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		var report map[string]any
		if fakemodel.Task(r) != prompts.Report || json.Unmarshal([]byte(reply.Text), &report) != nil {
			return reply
		}
		report["title"] = fmt.Sprintf("Written as number %d", written.Add(1))
		body, err := json.Marshal(report)
		if err != nil {
			return llmtest.Reply{Status: 400, Message: err.Error()}
		}
		return llmtest.Reply{Text: string(body)}
	}
}

// villages returns two villages of three families with three people each. The members of
// a family know each other, and each person knows one person in each other family of the
// village, so that there are communities within communities.
func villages() map[string]string {
	people := []string{"Anna", "Bela", "Carl", "Dora", "Emil", "Fred", "Gina", "Hugo", "Ines", "Jack", "Kate", "Lars", "Mona", "Nils", "Olga", "Paul", "Rita", "Sven"}
	var text strings.Builder
	meet := func(a, b int) {
		fmt.Fprintf(&text, "%s Moor met %s Moor at the old harbour in the winter. ", people[a], people[b])
	}
	for village := 0; village < 18; village += 9 {
		for i := range 9 {
			for j := range i {
				if i/3 == j/3 || i%3 == j%3 {
					meet(village+i, village+j)
				}
			}
		}
	}
	meet(0, 9)
	return map[string]string{"circles.txt": text.String()}
}

// TestParentsReadNewReports checks that the context of a large community contains the
// reports of its children written in the same run.
func TestParentsReadNewReports(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	var written atomic.Int64
	server, with := model(t, llmtest.Options{Handler: numberedReports(&written)}, "")
	o := with(options(modelCorpus(t)))
	o.Report.ContextTokens, o.Community.Leiden.MaxSize, o.Model.ReportSmall = 400, 4, true
	run(t, store, o, folder(t, villages()))
	parents := 0
	for _, r := range server.Requests() {
		if fakemodel.Task(r) == prompts.Report && strings.Contains(r.Last(), "Written as number ") {
			parents++
		}
	}
	if parents == 0 || int64(parents) >= written.Load() {
		t.Errorf("%d of %d reports are written from reports of children, want some and not all", parents, written.Load())
	}
}

// reportsOf returns the visible communities in their order, and the reports by community.
func reportsOf(t *testing.T, store *neo4jstore.Store, corpus string) ([]graph.Community, map[string]graph.Report) {
	t.Helper()
	c, err := store.Corpus(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	communities, err := store.Communities(t.Context(), corpus, c.Generation, true)
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]graph.Report{}
	for level := range 10 {
		rows, err := store.ReportsOfView(t.Context(), corpus, c.Generation, level)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			reports[r.Report.Community] = r.Report
		}
	}
	return communities, reports
}

// TestMaxReports checks that the model writes at most MaxReports reports, root levels and
// larger communities first, and that the other communities have a report too.
func TestMaxReports(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, docs := modelCorpus(t), folder(t, villages())
	for _, bound := range []int{2, 3, -1} {
		most := max(0, bound)
		server, with := model(t, llmtest.Options{}, "")
		bounded := func() index.Options {
			o := with(options(name))
			o.Community.Leiden.MaxSize = 4
			o.Model.MaxReports, o.Model.ReportSmall, o.AllowRedo = bound, true, true
			return o
		}
		if r := run(t, store, bounded(), docs); r.Exit != 0 {
			t.Fatalf("%+v", r)
		}
		communities, reports := reportsOf(t, store, name)
		if len(communities) <= most || len(reports) != len(communities) {
			t.Fatalf("%d communities and %d reports, want more than %d communities, each with a report", len(communities), len(reports), most)
		}
		least := graph.Community{Level: 0, Members: make([]string, 1<<20)}
		for i, k := range communities {
			byModel := reports[k.Key].Model == "simulated"
			if byModel != (i < most) {
				t.Errorf("at most %d: the report of %s, number %d, is by %s", most, k.Label, i+1, reports[k.Key].Model)
			}
			if i < most && (k.Level < least.Level || k.Level == least.Level && len(k.Members) > len(least.Members)) {
				t.Errorf("%s comes after a smaller or deeper community", k.Label)
			}
			least = k
		}
		if n := tasks(server)[prompts.Report]; n > most {
			t.Errorf("the model wrote %d reports, want at most %d", n, most)
		}
		if r := run(t, store, bounded(), docs); r.Writes != 0 || r.Calls != 0 {
			t.Errorf("a second run: %d writes, %d calls", r.Writes, r.Calls)
		}
	}
}

// TestNothingExtracted indexes a document in which the model finds nothing.
func TestNothingExtracted(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, docs := modelCorpus(t), folder(t, map[string]string{"a.txt": "It rained all day, and then it rained more."})
	_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		switch fakemodel.Task(r) {
		case prompts.Extract, prompts.GleanList:
			return llmtest.Reply{Text: `{"entities": [], "relationships": [], "claims": []}`}
		}
		return llmtest.Reply{Text: "No."}
	}}, "")
	if r := run(t, store, with(options(name)), docs); r.Exit != 0 || r.Documents.Added != 1 {
		t.Errorf("got %+v", r)
	}
	if r := run(t, store, with(options(name)), docs); r.Writes != 0 {
		t.Errorf("a second run wrote %d times", r.Writes)
	}
}
