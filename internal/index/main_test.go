package index_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// open connects to the test server. fault may be nil; else it is called between
// transactions.
func open(t *testing.T, fault func(string) error) *neo4jstore.Store {
	t.Helper()
	return openAt(t, neo4jtest.Server(t), fault)
}

// openAt is open for any address of the server.
func openAt(t *testing.T, conn neo4jtest.Conn, fault func(string) error) *neo4jstore.Store {
	t.Helper()
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password, Fault: fault})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return store
}

// corpus returns an empty corpus.
func corpus(t *testing.T, _ *neo4jstore.Store) string {
	t.Helper()
	return neo4jtest.Borrow(t, "index")
}

// modelCorpus returns an empty corpus for vectors of a model.
func modelCorpus(t *testing.T) string {
	t.Helper()
	return neo4jtest.Borrow(t, "model")
}

// corpusFor returns an empty corpus with the indexes for the embedder of the options.
func corpusFor(t *testing.T, o index.Options) string {
	t.Helper()
	if o.Embedder != nil {
		return modelCorpus(t)
	}
	return neo4jtest.Borrow(t, "index")
}

// run indexes paths and stops the test on an error.
func run(t *testing.T, store *neo4jstore.Store, o index.Options, paths ...string) index.Result {
	t.Helper()
	r, err := try(t, store, o, paths...)
	if err != nil {
		t.Fatalf("Run(%v): %v", paths, err)
	}
	return r
}

func try(t *testing.T, store *neo4jstore.Store, o index.Options, paths ...string) (index.Result, error) {
	t.Helper()
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	return x.Run(t.Context(), paths)
}

// dump returns the canonical dump of a corpus.
func dump(t *testing.T, store *neo4jstore.Store, corpus, part string) string {
	t.Helper()
	var b bytes.Buffer
	err := store.Dump(t.Context(), corpus, part, func(line []byte) error {
		b.Write(line)
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// same compares two dumps and reports the lines that differ.
func same(t *testing.T, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
	if len(diff) > 6000 {
		diff = diff[:6000] + "\n..."
	}
	t.Errorf("dumps differ (-want +got):\n%s", diff)
}

// folder writes files into a new folder named docs.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "docs")
	writeFiles(t, dir, files)
	return dir
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// town returns a small corpus of three documents with names, relationships and figures.
func town() map[string]string {
	return map[string]string{
		"one.txt": `Clara Hale opened the Harbour Museum in Port Ellen in 1921. Mr. Tobias Reed, her clerk, kept the books of the Harbour Museum.
Clara Hale met Tobias Reed in Glasgow. Tobias Reed said that Clara Hale trusted him with the keys. Clara Hale was a painter from Glasgow.

The Harbour Museum burned in 1933. Tobias Reed carried the paintings of Clara Hale out of the fire. Clara Hale thanked Tobias Reed.`,
		"two.txt": `Inspector Mary Quill came to Port Ellen in 1934. Mary Quill asked Tobias Reed about the fire at the Harbour Museum.
Tobias Reed told Mary Quill about Victor Lang. Victor Lang owned the Lang Company in Glasgow. Mary Quill followed Victor Lang to London.
Victor Lang had not paid the Lang Company's debts. In London, Victor Lang met Edith Vane. Edith Vane, a singer, knew Mary Quill.`,
		"deep/three.txt": `Edith Vane sang in London in 1935. Victor Lang married Edith Vane. Mary Quill wrote to Clara Hale about Edith Vane and Victor Lang.
Clara Hale painted Edith Vane in Port Ellen. The Lang Company closed in 1936. Tobias Reed went to London with Clara Hale.
Mary Quill found Victor Lang's letters in Port Ellen. The letters said that the Lang Company lit the fire.`,
	}
}

// options returns options with small chunks, so that a small corpus has several.
func options(corpus string) index.Options {
	overlap := 8
	o := index.Options{Corpus: corpus, Clock: time.Now}
	o.Chunk.Size, o.Chunk.Overlap = 48, &overlap
	o.Community.Leiden.MaxSize = 4
	return o
}
