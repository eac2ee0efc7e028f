package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// book returns a text of one line and few names that takes several transactions to
// write.
func book() string {
	var b strings.Builder
	for i := range 40_000 {
		if i%200 == 0 {
			fmt.Fprintf(&b, "Anna Berg met Carl Dorn in %d. ", 1800+i/200)
		}
		fmt.Fprintf(&b, "on day %d of the journey the road was dry. ", i)
	}
	return b.String()
}

// TestLargeDocumentVanishes kills the first write of a large document after each of its
// transactions. Then the file is gone: nothing of it may stay.
func TestLargeDocumentVanishes(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, map[string]string{"one.txt": town()["one.txt"]})
	big := filepath.Join(docs, "big.txt")
	run(t, store, options(fresh), docs)
	want := dump(t, store, fresh, "evidence")
	run(t, store, options(name), docs)
	killed := map[string]int{}
	for n := 1; n <= 4; n++ {
		write(t, big, book())
		left := n
		faulty := open(t, func(point string) error {
			if !strings.HasPrefix(point, "document ") {
				return nil
			}
			if left--; left == 0 {
				killed[point]++
				return errKilled
			}
			return nil
		})
		if _, err := try(t, faulty, options(name), docs); !errors.Is(err, errKilled) {
			t.Fatalf("killed at transaction %d of the document: got %v", n, err)
		}
		if err := os.Remove(big); err != nil {
			t.Fatal(err)
		}
		if n == 4 { // as version 0.1.0 left it
			neo4jtest.Query(t, "MATCH (d:Document {key: $key}) REMOVE d.uri, d.root, d.title", map[string]any{"key": graph.DocumentKey(name, "docs/big.txt")})
		}
		run(t, store, options(name), docs)
		same(t, want, dump(t, store, name, "evidence"))
	}
	if killed["document opened"] != 1 || killed["document part"] != 3 {
		t.Errorf("killed at %v", killed)
	}
}

// TestLargeDocumentOfANewCorpus extracts with a model while a large document is being
// written in parts: all its chunks are extracted, and none before the document is whole.
// The model holds its answers until the first part is written, so that the documents to
// extract are listed again then.
func TestLargeDocumentOfANewCorpus(t *testing.T) {
	t.Parallel()
	docs := t.TempDir()
	for i := range 128 {
		write(t, filepath.Join(docs, fmt.Sprintf("a%03d.txt", i)), fmt.Sprintf("Nora Lind met Otto Kern in %d.", 1800+i))
	}
	write(t, filepath.Join(docs, "big.txt"), book())
	early, release := make(chan struct{}, 1), make(chan struct{})
	parts := 0
	store := open(t, func(point string) error {
		if point != "document part" {
			return nil
		}
		if parts++; parts > 1 {
			return nil
		}
		close(release)
		select { // time for an extraction that must not happen
		case <-early:
			return errors.New("a chunk was extracted before its document was written")
		case <-time.After(time.Second):
			return nil
		}
	})
	name := modelCorpus(t)
	_, with := model(t, llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
		switch {
		case r.Embeds():
		case strings.Contains(r.Last(), "Anna Berg"):
			select {
			case early <- struct{}{}:
			default:
			}
		default:
			<-release
		}
		return nil
	}}, "")
	o := with(options(name))
	o.Chunk.Size, o.Model.Gleanings, o.Model.Claims, o.WithoutReports = 20_000, -1, extract.ClaimsNone, true
	if r := run(t, store, o, docs); r.Exit != 0 || parts == 0 {
		t.Errorf("exit %d, %d parts, %v", r.Exit, parts, r.Failures)
	}
	pending, err := store.Pending(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if pending["extract"] != 0 {
		t.Errorf("%d chunks are not extracted", pending["extract"])
	}
}

// TestWindowOfWhiteSpace indexes, without a model, a document with white space longer
// than a chunk.
func TestWindowOfWhiteSpace(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	gap := strings.Repeat(" \n\t\n", 2000)
	docs := folder(t, map[string]string{"gap.txt": gap + "Anna Berg met Carl Dorn in Rome." + gap + "Carl Dorn wrote to Eva Falk in Oslo."})
	o := options(name)
	o.Chunk.Size = 60
	if r := run(t, store, o, docs); r.Exit != 0 {
		t.Errorf("exit %d, %v", r.Exit, r.Failures)
	}
	if found := dump(t, store, name, "evidence"); !strings.Contains(found, "eva falk") || !strings.Contains(found, "anna berg") {
		t.Errorf("entities are missing in\n%s", found)
	}
}

// TestEstimateOfWhiteSpace estimates a run on a document of white space, and on one with
// white space longer than a chunk.
func TestEstimateOfWhiteSpace(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	gap := strings.Repeat(" \n\t\n", 2000)
	docs := folder(t, map[string]string{"gap.txt": gap + "Anna Berg met Carl Dorn in Rome." + gap, "empty.txt": gap})
	_, with := model(t, llmtest.Options{}, "")
	for name, o := range map[string]index.Options{"rules": options(corpus(t, store)), "model": with(options(modelCorpus(t)))} {
		o.Chunk.Size = 60
		e := estimate(t, o, docs)
		r := run(t, store, o, docs)
		var extracted int64
		for _, s := range r.Stages {
			if s.Name == "extract" {
				extracted = s.Calls
			}
		}
		for _, s := range e.Stages {
			if s.Name == "extract" && s.Calls != extracted {
				t.Errorf("%s: %d calls to extract estimated, %d made", name, s.Calls, extracted)
			}
		}
		if again := estimate(t, o, docs); e.Chunks == 0 || again.Chunks != 0 {
			t.Errorf("%s: %d chunks estimated, and %d after the run", name, e.Chunks, again.Chunks)
		}
	}
}
