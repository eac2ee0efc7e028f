package index_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestAbsentWords uses a model that adds names and a quote which are not in the text. They are
// marked and counted, and no report shows them, until a document holds them.
func TestAbsentWords(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := folder(t, town())
	server, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if text := fakemodel.Material(r); fakemodel.Task(r) == prompts.Extract && strings.Contains(text, "Harbour Museum burned") {
			invented := fakemodel.Tuple("entity", "Ebenezer Scrooge", "person", "Scrooge lit the fire of the museum.") + "##" +
				fakemodel.Tuple("relationship", "Ebenezer Scrooge", "Clara Hale", "Scrooge hated Clara Hale.", "hate", 9) + "##" +
				fakemodel.Tuple("relationship", "Ebenezer Scrooge", "Jacob Marley", "Scrooge buried Marley.", "death", 9) + "##" +
				fakemodel.Tuple("relationship", "Bob Cratchit", "Fred Holywell", "Cratchit works for Fred.", "work", 9) + "##" +
				fakemodel.Tuple("claim", "Clara Hale", "NONE", "crime", "TRUE", "1933", "1933", "Clara Hale stole the paintings.", "she stole them all")
			reply.Text = strings.TrimSuffix(reply.Text, "<|COMPLETE|>") + "##" + invented + "<|COMPLETE|>"
		}
		return reply
	}}, "")
	o := with(options(name))
	o.Model.Format = "tuples"
	r := run(t, store, o, docs)
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "5 names and quotes") }) || r.Exit != 0 {
		t.Errorf("exit %d, notes %q", r.Exit, r.Notes)
	}
	if n, err := store.Absent(t.Context(), name); err != nil || n != (neo4jstore.AbsentCounts{Entities: 4, Claims: 1}) {
		t.Errorf("got %+v, %v", n, err)
	}
	graph := dump(t, store, name, "")
	for _, want := range []string{"Scrooge lit the fire", "Scrooge hated Clara Hale", "Clara Hale stole"} {
		if !strings.Contains(graph, want) {
			t.Errorf("the graph does not hold %q", want)
		}
	}
	reported := 0
	for _, req := range server.Requests() {
		if fakemodel.Task(req) != prompts.Report {
			continue
		}
		if reported++; fakemodel.Material(req) == "" {
			t.Error("the model is asked for a report about nothing")
		}
		for _, never := range []string{"Scrooge", "Marley", "Cratchit", "stole"} {
			if strings.Contains(req.Last(), never) {
				t.Errorf("a report is written from %q:\n%s", never, req.Last())
			}
		}
	}
	for line := range strings.Lines(graph) {
		if isReport := strings.Contains(line, `"node":"Report"`) || strings.Contains(line, `"node":"Finding"`); isReport && (strings.Contains(line, "Scrooge") || strings.Contains(line, "Cratchit")) {
			t.Errorf("a report names Scrooge: %s", line)
		}
	}
	if reported == 0 {
		t.Error("no report was written")
	}

	write(t, docs+"/four.txt", "Ebenezer Scrooge met Clara Hale in Leith.")
	run(t, store, o, docs)
	if n, err := store.Absent(t.Context(), name); err != nil || n != (neo4jstore.AbsentCounts{Entities: 3, Claims: 1}) {
		t.Errorf("after a document with one of the names: got %+v, %v", n, err)
	}
	server.Reset()
	if again := run(t, store, o, docs); again.Writes != 0 {
		t.Errorf("a second run wrote %d times", again.Writes)
	}
}
