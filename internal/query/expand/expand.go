// Package expand has a model prepare a search: write passages that could answer the question
// (HyDE) or other questions (RQ-RAG), or choose relationships to start from (HippoRAG 2).
package expand

import (
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// clean returns each text of a model once, on one line and without control characters. A text
// is cut off after the given number of bytes, and all but the first texts are left out.
func clean(texts []string, most, bytes int) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range texts {
		s = text.Truncate(text.OneLine(sanitize.Text(s)), bytes)
		if lower := strings.ToLower(s); s != "" && !seen[lower] && len(out) < most {
			seen[lower] = true
			out = append(out, s)
		}
	}
	return out
}
