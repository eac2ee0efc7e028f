package cite

import (
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A Statement is a sentence with the node that it is read from.
type Statement struct {
	Text   string
	Title  string            // of the target
	Target graph.Reference   // what an answer cites for it: a report, a chunk or another node
	Cited  []graph.Reference // of a report: what the report cites for this sentence
	Quote  textproc.Span     // of a chunk: where in the chunk's text; zero if unknown
	// Sentences are the sentences of the target that a model cites, from 1; none for all of it.
	Sentences []int

	// About is what the statement is a part of: the line that introduces a list.
	About string
}

// ReportStatements returns the cited sentences of a report, each once, in order.
func ReportStatements(r graph.Report) []Statement {
	byNumber := map[int]graph.Reference{}
	for _, ref := range r.References {
		byNumber[ref.N] = ref
	}
	texts := []string{r.Summary}
	for _, f := range r.Findings {
		texts = append(texts, f.Explanation)
	}
	seen := map[string]bool{}
	var out []Statement
	for _, text := range texts {
		for _, c := range splitCited(text) {
			if seen[c.text] {
				continue
			}
			seen[c.text] = true
			s := Statement{Text: c.text, Title: r.Title, Target: graph.Reference{Kind: graph.KindReport, Key: r.Key}}
			for _, n := range c.numbers {
				if ref, ok := byNumber[n]; ok {
					s.Cited = append(s.Cited, ref)
				}
			}
			out = append(out, s)
		}
	}
	return out
}

// minStatement is the length of the shortest text that is a statement, in bytes.
const minStatement = 2

// TextStatements returns the sentences of a node's text, each on one line and without marks, but no
// lines of code.
func TextStatements(source, title string, target graph.Reference) []Statement {
	units := textproc.Units(source)
	out := make([]Statement, 0, len(units))
	for _, u := range units {
		line := textproc.Unmarked(source[u.Start:u.End])
		if u.Code || len(line) < minStatement {
			continue
		}
		s := Statement{Text: line, Title: title, Target: target}
		if target.Kind == graph.KindChunk {
			s.Quote = u.Span
		}
		out = append(out, s)
	}
	return out
}
