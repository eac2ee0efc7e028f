package cite

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
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

	Fragment bool // of a text: a heading or another line that states nothing
	Heading  bool // of a text
	Listed   bool // an item of a list in a text
	Code     bool // a line of code in a text
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
	for _, part := range texts {
		for _, c := range splitCited(part) {
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
	return slices.DeleteFunc(TextUnits(source, title, target), func(s Statement) bool { return s.Code })
}

// TextUnits returns the sentences of a node's text as TextStatements does, with its lines of code as they
// are written.
func TextUnits(source, title string, target graph.Reference) []Statement {
	units := textproc.Units(source)
	out := make([]Statement, 0, len(units))
	for _, u := range units {
		own := source[u.Start:u.End]
		line := strings.TrimSpace(own)
		if !u.Code {
			line = textproc.Unmarked(own)
		}
		if len(line) < minStatement || u.Code && text.Fence(line) != "" {
			continue
		}
		s := Statement{Text: line, Title: title, Target: target, Fragment: u.Fragment || !u.Code && hasMarks(line), Heading: u.Heading, Listed: u.Item, Code: u.Code}
		if target.Kind == graph.KindChunk {
			s.Quote = u.Span
		}
		out = append(out, s)
	}
	return out
}

// hasMarks reports whether a line still has marks of links or attributes, so that it is the rest of a badge or
// of a menu.
func hasMarks(line string) bool {
	return strings.Contains(line, "](") || strings.Contains(line, "] (") || strings.Contains(line, "{ ")
}
