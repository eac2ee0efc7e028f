package query

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/query/retrieve"
)

// A ScoredSource is a chunk, or what leads to chunks, with its score: of a chunk its share of walks,
// unless a method says something else.
type ScoredSource struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// ScoredSources names chunks that a method ranked.
func ScoredSources(chunks []retrieve.Chunk) []ScoredSource {
	out := make([]ScoredSource, len(chunks))
	for i, c := range chunks {
		out[i] = ScoredSource{Key: c.Key, Name: SourceName(c.Title(), c.Index), Score: c.Score}
	}
	return out
}

// PrintedNodes is how many nodes of each kind a trace prints.
const PrintedNodes = 10

// PrintScored prints the first of what a method ranked.
func PrintScored(w io.Writer, list []ScoredSource, decimals int) {
	for _, s := range list[:min(PrintedNodes, len(list))] {
		fmt.Fprintf(w, "    %6.*f  %s\n", decimals, s.Score, s.Name)
	}
}

// PrintSources prints the best sources after a line that says what their scores are.
func PrintSources(w io.Writer, sources []ScoredSource, scores string, decimals int) {
	fmt.Fprintf(w, "  %d sources by %s\n", len(sources), scores)
	PrintScored(w, sources, decimals)
}

// ListOrNone joins words with commas.
func ListOrNone(words []string) string { return cmp.Or(strings.Join(words, ", "), "none") }
