package index_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// peopleCSV returns a CSV file with the given rows.
func peopleCSV(rows ...string) string { return "key,body,place\n" + strings.Join(rows, "\n") + "\n" }

var (
	clara  = `clara,"Clara Hale opened the Harbour Museum in Port Ellen in 1921. Tobias Reed kept the books of the Harbour Museum.",Port Ellen`
	mary   = `mary,"Inspector Mary Quill came to Port Ellen in 1934. Mary Quill asked Tobias Reed about the fire at the Harbour Museum.",Glasgow`
	victor = `victor,"Victor Lang owned the Lang Company in Glasgow. Mary Quill followed Victor Lang to London.",London`
	edith  = `edith,"Edith Vane sang in London in 1935. Victor Lang married Edith Vane.",London`
)

// TestRecordsUpdateEqualsRebuild edits, adds, removes and renames rows of a file, and
// compares the result with a new corpus of the same file.
func TestRecordsUpdateEqualsRebuild(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, map[string]string{"people.csv": peopleCSV(clara, mary, victor), "notes.txt": town()["one.txt"]})
	path := filepath.Join(docs, "people.csv")
	of := func(name string) index.Options {
		o := options(name)
		o.Source.Fields = map[string]string{"text": "body", "id": "key"}
		return o
	}
	first := run(t, store, of(live), docs)
	if want := (index.DocumentCounts{Added: 4}); first.Documents != want || first.Exit != 0 {
		t.Fatalf("first run: got %+v and exit %d, want %+v", first.Documents, first.Exit, want)
	}
	changed := strings.ReplaceAll(mary, "Tobias Reed", "Samuel Pike")
	for _, step := range []struct {
		name string
		rows []string
		want index.DocumentCounts
	}{
		{"edit", []string{clara, changed, victor}, index.DocumentCounts{Changed: 1, Unchanged: 3}},
		{"add", []string{clara, edith, changed, victor}, index.DocumentCounts{Added: 1, Unchanged: 4}},
		{"remove", []string{edith, changed, victor}, index.DocumentCounts{Removed: 1, Unchanged: 4}},
		{"rename", []string{strings.Replace(edith, "edith", "vane", 1), changed, victor}, index.DocumentCounts{Moved: 1, Unchanged: 3}},
		{"all at once", []string{clara, strings.Replace(victor, "Glasgow", "Leith", 1), mary}, index.DocumentCounts{Added: 1, Removed: 1, Changed: 2, Unchanged: 1}},
	} {
		write(t, path, peopleCSV(step.rows...))
		r := run(t, store, of(live), docs)
		if diff := cmp.Diff(step.want, r.Documents); diff != "" || len(r.Failures) > 0 {
			t.Errorf("%s: failures %+v, documents (-want +got):\n%s", step.name, r.Failures, diff)
		}
		neo4jtest.Wipe(t, fresh)
		o := of(fresh)
		o.WithoutReports = true // evidence does not depend on them
		run(t, store, o, docs)
		t.Run(step.name, func(t *testing.T) {
			same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
			if got, want := sizes(t, store, live), sizes(t, store, fresh); got != want {
				t.Errorf("counts: got %v, want %v", got, want)
			}
		})
		if idle := run(t, store, of(live), docs); idle.Writes != 0 {
			t.Errorf("%s: a run after it wrote %d times, want none", step.name, idle.Writes)
		}
	}
}

// TestRecordWithoutIDIsInserted inserts a row at the top of a file without ids: one
// document is added, and the corpus equals a new one.
func TestRecordWithoutIDIsInserted(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, map[string]string{"people.csv": peopleCSV(clara, mary, victor)})
	of := func(name string) index.Options {
		o := options(name)
		o.Source.Fields = map[string]string{"text": "body"}
		o.WithoutReports = true
		return o
	}
	run(t, store, of(live), docs)
	write(t, filepath.Join(docs, "people.csv"), peopleCSV(edith, clara, mary, victor))
	r := run(t, store, of(live), docs)
	if diff := cmp.Diff(index.DocumentCounts{Added: 1, Unchanged: 3}, r.Documents); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	run(t, store, of(fresh), docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
}

// TestCorpusOfAnEarlierVersion checks that files which an earlier version read, with the
// same text, are read again without a question and without losing what a model made.
func TestCorpusOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	server, vectors := embedder(t, "vectors", textproc.Dimension)
	o := options(modelCorpus(t))
	o.Embedder = vectors()
	docs := folder(t, town())
	run(t, store, o, docs)
	want, asked := dump(t, store, o.Corpus, ""), server.Counts().Requests
	damage(t, o.Corpus, "MATCH (d:Document {corpus: $corpus}) SET d.source_fp = '"+graph.Hash("source", "1")+"'")
	if r := run(t, store, o, docs); r.Documents != (index.DocumentCounts{Changed: len(town())}) || server.Counts().Requests != asked {
		t.Errorf("got %+v and %d requests, want all changed and none", r.Documents, server.Counts().Requests-asked)
	}
	same(t, want, dump(t, store, o.Corpus, ""))
}

// sizes returns the counts of evidence.
func sizes(t *testing.T, store *neo4jstore.Store, corpus string) [5]int64 {
	t.Helper()
	c, err := store.Counts(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	return [5]int64{int64(c.Documents), int64(c.Chunks), int64(c.Entities), int64(c.Relationships), int64(c.Claims)}
}

// TestRecordsOfAFileThatCannotBeRead checks that the records of an unreadable file are
// kept until the file itself is gone.
func TestRecordsOfAFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	docs := folder(t, map[string]string{"people.csv": peopleCSV(clara, mary), "notes.txt": town()["one.txt"]})
	o := options(name)
	o.Source.Fields = map[string]string{"text": "body", "id": "key"}
	run(t, store, o, docs)
	before := dump(t, store, name, "evidence")
	write(t, filepath.Join(docs, "people.csv"), "\x00"+peopleCSV(clara, mary))
	r := run(t, store, o, docs)
	if r.Exit != 3 || len(r.Failures) != 1 || !strings.Contains(r.Failures[0].Reason, "binary data") {
		t.Errorf("binary data: got %d writes, exit %d, %+v", r.Writes, r.Exit, r.Failures)
	}
	same(t, before, dump(t, store, name, "evidence"))
	if r := run(t, store, o, docs); r.Writes != 0 || r.Exit != 3 {
		t.Errorf("the same failure, which the corpus remembers: got %d writes, exit %d", r.Writes, r.Exit)
	}
	if err := os.Remove(filepath.Join(docs, "people.csv")); err != nil {
		t.Fatal(err)
	}
	if r := run(t, store, o, docs); r.Documents != (index.DocumentCounts{Removed: 2, Unchanged: 1}) {
		t.Errorf("the file removed: got %+v", r.Documents)
	}
	o.Source.Fields = map[string]string{"words": "body"}
	if _, err := index.New(store, o); err == nil {
		t.Error("a field that does not exist: got no error")
	}
}

// TestRecordsOfADamagedFile damages files from some record on: no record that may be in
// the damaged part is removed, and the run reports the file.
func TestRecordsOfADamagedFile(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	o := options(name)
	o.Source.Fields = map[string]string{"text": "body", "id": "key"}
	var objects []string
	for i, text := range slices.Sorted(maps.Values(town())) {
		objects = append(objects, fmt.Sprintf(`{"key":"k%d","body":%q}`, i, text))
	}
	whole := map[string]string{
		"people.csv": peopleCSV(clara, mary, victor), "array.json": "[" + strings.Join(objects, ",\n") + "]",
		"lines.jsonl": strings.Join(objects, "\n") + "\n",
	}
	damaged := map[string]string{
		"people.csv": peopleCSV(clara, strings.Replace(mary, `Museum."`, `Museum.`, 1), victor), "array.json": whole["array.json"][:len(objects[0])+20],
		"lines.jsonl": objects[0] + "\n" + objects[1][:20] + "\n" + objects[2] + "\n",
	}
	docs := folder(t, whole)
	run(t, store, o, docs)
	before := dump(t, store, name, "evidence")
	for file, text := range damaged {
		write(t, filepath.Join(docs, file), text)
		r := run(t, store, o, docs)
		if r.Exit != 3 || len(r.Failures) == 0 || r.Documents.Removed != 0 {
			t.Errorf("%s: exit %d, failures %v, documents %+v", file, r.Exit, r.Failures, r.Documents)
		}
		if r := run(t, store, o, docs); r.Writes != 0 {
			t.Errorf("%s: the corpus remembers the failure: got %d writes", file, r.Writes)
		}
		same(t, before, dump(t, store, name, "evidence"))
		write(t, filepath.Join(docs, file), whole[file])
	}
	for i := range 2 {
		if r := run(t, store, o, docs); r.Exit != 0 || i == 1 && r.Writes != 0 {
			t.Errorf("after the files were restored: exit %d, %d writes", r.Exit, r.Writes)
		}
	}
}

// TestRecordsOfOneFile indexes a single file, and changes the field of the text.
func TestRecordsOfOneFile(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	path := filepath.Join(folder(t, map[string]string{"people.jsonl": `{"text":"Clara Hale met Tobias Reed in Glasgow.","other":"Mary Quill met Victor Lang in London."}` + "\n" +
		`{"text":"Edith Vane met Mary Quill.","other":"Edith Vane met Clara Hale."}`}), "people.jsonl")
	run(t, store, options(name), path)
	o := options(name)
	o.Source = source.Options{Fields: map[string]string{"text": "other"}}
	if r := run(t, store, o, path); r.Documents != (index.DocumentCounts{Added: 2, Removed: 2}) {
		t.Errorf("another field for the text: got %+v, want 2 added and 2 removed", r.Documents)
	}
	write(t, path, `{"text":"","other":"Mary Quill met Victor Lang in London."}`)
	if r := run(t, store, o, path); r.Documents != (index.DocumentCounts{Added: 1, Removed: 2}) {
		t.Errorf("one line removed, one field emptied: got %+v, want 2 removed and 1 added", r.Documents)
	}
	if r := run(t, store, o, path); r.Writes != 0 {
		t.Errorf("the run after it wrote %d times, want none", r.Writes)
	}
}
