package extract

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// checkWords lists in x.Absent the names and quotes of its records that do not occur in their
// passage, sorted: a model made them up, or took them from elsewhere. Letter case, quotes, white
// space, hyphens and the form of a word (number, case) do not count. A quote that occurs is
// replaced by the words of the passage, letter by letter.
func checkWords(x *graph.Extraction, passage string) {
	p := newPassage(passage)
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
	for i := range x.Claims {
		r := &x.Claims[i]
		name(r.Subject)
		name(r.Object)
		if words, ok := p.quoted(r.SourceText); ok {
			r.SourceText = words
		} else {
			missing[r.SourceText] = true
		}
	}
	x.Absent = slices.Sorted(maps.Keys(missing))
}

// A passageText is a passage prepared for comparison.
type passageText struct {
	text     string
	folded   foldedText
	language language.Language
	terms    map[string]bool
}

func newPassage(text string) *passageText {
	p := &passageText{text: text, folded: fold(text), language: language.Of(text), terms: map[string]bool{}}
	for _, s := range []string{text, p.folded.text} {
		for _, t := range textproc.TermsIn(p.language, s) {
			p.terms[t] = true
		}
	}
	return p
}

// hasName reports whether the words of a name occur, together or each in some form.
func (p *passageText) hasName(name string) bool {
	folded := foldText(name)
	return textproc.ContainsWords(p.folded.text, folded) || p.hasTerms(name) || p.hasTerms(folded)
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

// quoted returns the words of the passage that a quote is made of, from the first of its parts to
// the last. It is not ok unless all parts occur, in their order. A quote without words stays.
func (p *passageText) quoted(quote string) (words string, ok bool) {
	begin, end := -1, 0
	for _, part := range omission.Split(quote, -1) {
		part = strings.Trim(foldText(part), " .,;:!?'")
		if part == "" {
			continue
		}
		at := strings.Index(p.folded.text[end:], part)
		if at < 0 {
			return "", false
		}
		if begin < 0 {
			begin = end + at
		}
		end += at + len(part)
	}
	if begin < 0 {
		return quote, true
	}
	return p.text[p.folded.start[begin]:p.folded.end[end-1]], true
}
