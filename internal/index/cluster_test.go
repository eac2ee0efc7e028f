package index_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// historyDependent matches the properties and labels of a dump that an update takes over
// from the graph before it.
var historyDependent = regexp.MustCompile(`"(ordinal|label|name|title|community|communities|labels_set)":("[^"]*"|[0-9]+|\[[^\]]*\]),?|"C[0-9]+_[0-9]+",?`)

// withoutHistory returns a dump without ordinals and labels of communities.
func withoutHistory(dump string) string { return historyDependent.ReplaceAllString(dump, "") }

// TestStrengthChanges clusters by strength. An edit that changes strengths alone leads
// to the communities of a new corpus.
func TestStrengthChanges(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
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
	if withoutHistory(before) == withoutHistory(after) {
		t.Fatal("the edit changed nothing")
	}
	same(t, withoutHistory(dump(t, store, fresh, "")), withoutHistory(after))
}
