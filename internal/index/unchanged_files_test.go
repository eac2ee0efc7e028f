package index_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestUnchangedFilesAreNotRead counts the files that runs read.
func TestUnchangedFilesAreNotRead(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	files := town()
	files["list.jsonl"] = `{"id":"a","text":"Anna Berg met Carl Dorn."}` + "\n" + `{"id":"b","text":"Eva Falk met Georg Hahn."}`
	docs := folder(t, files)
	o := options(name)
	o.FileStates = filepath.Join(t.TempDir(), "files")
	o.Clock = func() time.Time { return time.Now().Add(time.Minute) } // the files count as settled

	want := func(step string, o index.Options, read int) {
		t.Helper()
		r, got := readFiles(t, store, o, docs)
		if got != read || r.Documents.Unchanged+r.Documents.Added+r.Documents.Changed != len(files)+1 {
			t.Errorf("%s: %d files were read, want %d; %+v", step, got, read, r.Documents)
		}
	}
	want("first run", o, len(files))
	want("second run", o, 0)
	checksum := o
	checksum.Checksum = true
	want("with --checksum", checksum, len(files))
	write(t, filepath.Join(docs, "one.txt"), files["one.txt"]+" Clara Hale left.")
	want("after a change", o, 1)
	want("after that", o, 0)
	other := o
	other.Source.Fields = map[string]string{"title": "id"}
	want("with other settings", other, len(files))
	if err := os.RemoveAll(o.FileStates); err != nil {
		t.Fatal(err)
	}
	want("without states", other, len(files))
}

var readCount = regexp.MustCompile(`msg="files compared" files=\d+ read=(\d+)`)

// readFiles runs an indexer, and returns how many files its first comparison read.
func readFiles(t *testing.T, store *neo4jstore.Store, o index.Options, docs string) (index.Result, int) {
	t.Helper()
	var log bytes.Buffer
	o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r := run(t, store, o, docs)
	found := readCount.FindStringSubmatch(log.String())
	if found == nil {
		t.Fatalf("nothing was compared: %s", log.String())
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return r, n
}
