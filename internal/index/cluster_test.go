package index_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// TestStrengthChanges clusters by strength. After an edit that changes strengths alone,
// fresh communities are those of a new corpus.
func TestStrengthChanges(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := modelCorpus(t), modelCorpus(t)
	_, with := model(t, llmtest.Options{}, "")
	of := func(name string) index.Options {
		o := with(options(name))
		o.Weight, o.Chunk.Size = "strength", 2000 // one chunk
		return o
	}
	// The model makes the strength from the length of a sentence.
	names := []string{"Agnes Moor", "Tobias Reed", "Clara Hale", "Mary Quill", "Victor Lang", "Edith Vane"}
	text := func(step int) string {
		var b strings.Builder
		for i := range names {
			for j := range i {
				fmt.Fprintf(&b, "%s met%s %s. ", names[i], strings.Repeat("x", (i*step+j)%10), names[j])
			}
		}
		return b.String()
	}
	docs := t.TempDir()
	write(t, filepath.Join(docs, "one.txt"), text(1))
	run(t, store, of(live), docs)
	before := dump(t, store, live, "")
	write(t, filepath.Join(docs, "one.txt"), text(4))
	run(t, store, of(live), docs)
	run(t, store, of(fresh), docs)
	after := dump(t, store, live, "")
	if before == after {
		t.Fatal("the edit changed nothing")
	}
	again := of(live)
	again.Fresh = true
	run(t, store, again, docs)
	same(t, dump(t, store, fresh, ""), dump(t, store, live, ""))
}
