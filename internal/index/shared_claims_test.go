package index_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// claimCounts returns how many chunks state each claim of a dump, by what it quotes.
func claimCounts(t *testing.T, graph string) map[string]int {
	t.Helper()
	quotes, counts := map[string]string{}, map[string]int{}
	for line := range strings.Lines(graph) {
		var n struct {
			Node, Key, Edge, To string
			Properties          struct {
				Source string `json:"source_text"`
			}
		}
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			t.Fatal(err)
		}
		if n.Node == "Claim" {
			if counts[n.Properties.Source] != 0 {
				t.Errorf("two claims quote %q", n.Properties.Source)
			}
			quotes[n.Key], counts[n.Properties.Source] = n.Properties.Source, 0
		}
		if n.Edge == "STATES" {
			counts[quotes[n.To]]++
		}
	}
	return counts
}

// TestSharedClaims: a claim in the overlap of two chunks, which a model words differently for each
// of them, is one claim with both chunks as evidence, with words that depend on neither the order
// of chunks nor the past.
func TestSharedClaims(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, fresh := modelCorpus(t), modelCorpus(t)
	docs := t.TempDir()
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, "%s Hale met %s Reed at the old bridge of the town in the year %d.\n", string(rune('A'+i))+"o", string(rune('A'+i))+"e", 1900+i)
	}
	write(t, filepath.Join(docs, "a.txt"), text.String())
	_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if fakemodel.Task(r) == prompts.Extract { // words that depend on the chunk
			first, _, _ := strings.Cut(fakemodel.Material(r), " ")
			reply.Text = strings.ReplaceAll(reply.Text, `"description":"`, `"description":"After `+first+`: `)
		}
		return reply
	}}, "")
	o := with(options(name))
	overlap := 26
	o.Chunk.Size, o.Chunk.Overlap, o.WithoutReports = 80, &overlap, true
	run(t, store, o, docs)
	shared := 0
	for quote, chunks := range claimCounts(t, dump(t, store, name, "evidence")) {
		if chunks == 0 || chunks > 2 {
			t.Errorf("%d chunks state %q", chunks, quote)
		}
		shared += chunks - 1
	}
	if shared == 0 {
		t.Fatal("no claim is in the overlap of two chunks")
	}
	// Without its second half, the document has lost one of the chunks of a shared claim.
	half, _, _ := strings.Cut(text.String(), "Ho Hale")
	write(t, filepath.Join(docs, "a.txt"), half)
	run(t, store, o, docs)
	again := o
	again.Corpus = fresh
	run(t, store, again, docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, name, "evidence"))
}
