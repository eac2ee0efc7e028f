package query

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A statement is a sentence with the node that it is read from.
type statement struct {
	text   string
	target graph.Reference   // what the answer cites: a report or a chunk
	inner  []graph.Reference // of a report: what the report itself cites for it
	title  string            // of the target
	quote  span              // of a chunk: where in the chunk's text
	group  string            // key under which statements of an answer stand together
	weight float64           // importance of the target among its like, 0 to 1
	first  bool              // opens its report or chunk
	score  float64           // 0 to 100 for the question
	also   []statement       // others that say the same, cited beside it
}

type span struct{ start, end int }

// referenceGroup is a run of reference numbers as stored texts carry them.
var referenceGroup = regexp.MustCompile(`(?:\s*\[\d{1,6}\])+`)

var referenceNumber = regexp.MustCompile(`\[(\d{1,6})\]`)

// cited is a piece of a stored text and the numbers that follow it.
type cited struct {
	text    string
	numbers []int
}

// splitCited takes a stored text apart at its reference numbers. Text that no
// number follows comes last, without numbers.
func splitCited(text string) []cited {
	var out []cited
	at := 0
	for _, m := range referenceGroup.FindAllStringIndex(text, -1) {
		c := cited{text: strings.Join(strings.Fields(text[at:m[0]]), " ")}
		for _, n := range referenceNumber.FindAllStringSubmatch(text[m[0]:m[1]], -1) {
			v, err := strconv.Atoi(n[1])
			if err == nil {
				c.numbers = append(c.numbers, v)
			}
		}
		at = m[1]
		if c.text = strings.TrimLeft(c.text, " .,;"); c.text != "" {
			out = append(out, c)
		}
	}
	if rest := strings.TrimLeft(strings.Join(strings.Fields(text[at:]), " "), " .,;"); rest != "" {
		out = append(out, cited{text: rest})
	}
	return out
}

// reportStatements are the cited sentences of a report, each once, in order.
func reportStatements(r graph.Report, weight float64) []statement {
	byNumber := map[int]graph.Reference{}
	for _, ref := range r.References {
		byNumber[ref.N] = ref
	}
	texts := []string{r.Summary}
	for _, f := range r.Findings {
		texts = append(texts, f.Explanation)
	}
	seen := map[string]bool{}
	var out []statement
	for _, text := range texts {
		for _, c := range splitCited(text) {
			if seen[c.text] {
				continue
			}
			seen[c.text] = true
			s := statement{
				text: c.text, target: graph.Reference{Kind: graph.KindReport, Key: r.Key},
				title: r.Title, group: r.Key, weight: weight, first: len(out) == 0,
			}
			for _, n := range c.numbers {
				if ref, ok := byNumber[n]; ok {
					s.inner = append(s.inner, ref)
				}
			}
			out = append(out, s)
		}
	}
	return out
}
