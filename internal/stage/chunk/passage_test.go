package chunk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

// TestPassagesOfALongLine checks that passages of a line of many chunks begin at their
// first term, also where cleaning removed white space before it.
func TestPassagesOfALongLine(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "mark%d  ", i)
	}
	doc := graph.Document{Text: b.String()}
	chunks := split(t, doc.Text, Options{Size: 2000})
	passages, _ := Passages("c", doc, chunks, "")
	texts := map[string]string{}
	for _, c := range chunks {
		texts[c.Key] = c.Text
	}
	if len(chunks) < 20 || len(passages) < len(chunks) {
		t.Fatalf("%d chunks, %d passages", len(chunks), len(passages))
	}
	seen := map[string]bool{}
	for _, p := range passages {
		first, _, _ := strings.Cut(p.Terms, " ")
		if !strings.HasPrefix(texts[p.Chunk][p.Start:], first) {
			t.Fatalf("a passage of %q begins with %.20q", first, texts[p.Chunk][p.Start:])
		}
		if seen[first] {
			t.Fatalf("%q begins two passages", first)
		}
		seen[first] = true
	}
}
