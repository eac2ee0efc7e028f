package extract

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/language"
	"github.com/neorag/neorag/internal/textproc"
)

// absent returns the names and quotes in the records of a passage that do not occur in it,
// sorted: a model made them up, or took them from elsewhere. Letter case, quotes, white space,
// hyphens and the form of a word (number, case) do not count.
func absent(x graph.Extraction, passage string) []string {
	p := passageText{folded: foldText(passage), language: language.Of(passage), terms: map[string]bool{}}
	for _, text := range []string{passage, p.folded} {
		for _, t := range textproc.TermsIn(p.language, text) {
			p.terms[t] = true
		}
	}
	missing := map[string]bool{}
	name := func(s string) {
		if s != "" && !strings.EqualFold(s, "none") && !missing[s] && !p.hasName(s) {
			missing[s] = true
		}
	}
	for _, r := range x.Entities {
		name(r.Name)
	}
	for _, r := range x.Relationships {
		name(r.Source)
		name(r.Target)
	}
	for _, r := range x.Claims {
		name(r.Subject)
		name(r.Object)
		if !p.hasQuote(r.SourceText) {
			missing[r.SourceText] = true
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

// A passageText is a passage prepared for comparison.
type passageText struct {
	folded   string
	language language.Language
	terms    map[string]bool
}

// hasName reports whether the words of a name occur, together or each in some form.
func (p *passageText) hasName(name string) bool {
	folded := foldText(name)
	for from := 0; folded != ""; {
		at := strings.Index(p.folded[from:], folded)
		if at < 0 {
			break
		}
		start := from + at
		if textproc.IsWholeWord(p.folded, start, start+len(folded)) {
			return true
		}
		from = start + 1
	}
	return p.hasTerms(name) || p.hasTerms(folded)
}

// hasTerms reports whether the words of a text, of which there is one at least, occur in some
// form.
func (p *passageText) hasTerms(s string) bool {
	terms := textproc.TermsIn(p.language, s)
	for _, t := range terms {
		if !p.terms[t] {
			return false
		}
	}
	return len(terms) > 0
}

// omission is where a quote leaves something out.
var omission = regexp.MustCompile(`[\[(]?(?:…|\.\.\.+)[\])]?`)

// hasQuote reports whether the parts of a quote occur in their order. A quote without words
// says nothing that is not in the passage.
func (p *passageText) hasQuote(quote string) bool {
	rest := p.folded
	for _, part := range omission.Split(quote, -1) {
		part = strings.Trim(foldText(part), " .,;:!?'")
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return true
}
