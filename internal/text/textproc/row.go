package textproc

import "strings"

const (
	maxRow   = 400 // bytes of a unit that is joined from the columns of a row
	maxLabel = 40  // bytes of the name of a column
)

// A rowJoiner collects units and joins the columns of a row of a table, such as "Model: Buick.
// Power: 165.", since a value means little without what the row is about.
type rowJoiner struct {
	out       []Unit
	paragraph int
	from      int      // first unit of the paragraph
	labels    []string // of the units of the paragraph
}

func (r *rowJoiner) add(u Unit, paragraph int, label string) {
	if paragraph != r.paragraph {
		r.endParagraph()
		r.paragraph = paragraph
	}
	if label != "" || len(r.labels) > 0 {
		r.labels = append(r.labels, label)
	} else {
		r.from = len(r.out) + 1
	}
	r.out = append(r.out, u)
}

// endParagraph joins the units of the paragraph if they are a row.
func (r *rowJoiner) endParagraph() {
	if isRow(r.labels) {
		units := r.out[r.from:]
		r.out = append(r.out[:r.from], units[0])
		for _, u := range units[1:] {
			last := &r.out[len(r.out)-1]
			if u.End-last.Start > maxRow {
				r.out = append(r.out, u)
				continue
			}
			last.End, last.Fragment, last.Phrase = u.End, last.Fragment && u.Fragment, last.Phrase && u.Phrase
		}
	}
	r.from, r.labels = len(r.out), r.labels[:0]
}

// isRow reports whether units with labels are the columns of a row: several have a name, no two the
// same, and at most half are further sentences of a value.
func isRow(labels []string) bool {
	if len(labels) < 2 { // most paragraphs
		return false
	}
	seen := map[string]bool{}
	for _, label := range labels {
		if seen[label] && label != "" {
			return false
		}
		seen[label] = true
	}
	delete(seen, "")
	return len(seen) > 1 && 2*len(seen) >= len(labels)
}

// columnLabel returns the name of a column that a sentence begins with, without its number, or "".
func columnLabel(text string, s Sentence) string {
	head := text[s.Start:min(s.End, s.Start+maxLabel)]
	label, _, found := strings.Cut(head, ": ")
	if !found || s.Fragment && s.Speaker != "" || !s.Tokens[0].Has(Letters) || s.Tokens[0].Has(LowerFirst) || strings.ContainsAny(label, ",;\"'“„!?\n") {
		return ""
	}
	for _, t := range s.Tokens {
		if int(t.Start) >= s.Start+len(label) {
			break
		}
		if t.Has(Verb) && t.Has(AllLower) || t.Is(Pronoun) { // He said: Go.
			return ""
		}
	}
	return strings.TrimRight(label, " 0123456789")
}
