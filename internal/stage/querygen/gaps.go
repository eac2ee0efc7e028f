package querygen

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

// gaps returns questions for parts of the sentence: who, when, where, how many and why.
func (r *sentenceReader) gaps(question bool) []QAPair {
	if question {
		return nil
	}
	speaker := ""
	if s := r.sentence.Speaker; s != "" {
		speaker = textproc.SplitCamel(s) + ": "
	}
	var out []QAPair
	for _, gap := range []struct {
		word string
		find func() (a, b int)
	}{{"Who or what", r.subject}, {"When", r.date}, {"Where", r.place}, {"How many", r.number}, {"Why", r.reason}} {
		a, b := gap.find()
		if rest := r.without(a, b); a < b && len(strings.Fields(rest)) >= 2 {
			out = append(out, QAPair{gap.word + " " + speaker + rest + "?", r.text(a, b)})
		}
	}
	return out
}

// subject returns the name that begins the sentence if a verb follows.
func (r *sentenceReader) subject() (a, b int) {
	if len(r.names) == 0 || r.names[0].Start > 1 {
		return 0, 0
	}
	toks, n := r.sentence.Tokens, r.names[0]
	if slices.ContainsFunc(toks[n.End:min(n.End+3, len(toks))], func(t textproc.Token) bool { return t.Has(textproc.Verb) }) {
		return n.Start, n.End
	}
	return 0, 0
}

// date returns the first run of words of dates and times, with the preposition before it.
func (r *sentenceReader) date() (a, b int) {
	toks := r.sentence.Tokens
	isDate := func(i int) bool {
		t := toks[i]
		return t.Is(textproc.Calendar) || t.Has(textproc.AllDigits) && t.Runes == 4 && (strings.HasPrefix(t.Text, "19") || strings.HasPrefix(t.Text, "20")) ||
			t.Has(textproc.Digits) && strings.Contains(t.Text, ":")
	}
	for i := range toks {
		if !isDate(i) {
			continue
		}
		a, b = i, i+1
		for b < len(toks) && (isDate(b) || toks[b].Has(textproc.Digits) || toks[b].IsOneOf(" at around of , next in ")) {
			b++
		}
		for b > i+1 && !isDate(b-1) && !toks[b-1].Has(textproc.Digits) {
			b--
		}
		for a > 0 && (toks[a-1].Has(textproc.Digits) || toks[a-1].Is(textproc.Preposition|textproc.Determiner) || toks[a-1].IsOneOf(" next last this ")) {
			a--
		}
		return a, b
	}
	return 0, 0
}

// place returns the first preposition of place with the name or noun of a place after it.
func (r *sentenceReader) place() (a, b int) {
	toks := r.sentence.Tokens
	for i := 1; i < len(toks)-1; i++ {
		if !toks[i].IsOneOf(" in at near to from inside outside ") {
			continue
		}
		for _, n := range r.names {
			if n.Start == i+1 || n.Start == i+2 && toks[i+1].Is(textproc.Determiner) {
				return i, n.End
			}
		}
		for k := i + 1; k < min(i+5, len(toks)) && toks[k].Has(textproc.Letters) && !toks[k].Is(textproc.Preposition|textproc.Conjunction|textproc.Auxiliary); k++ {
			if (toks[k].Class|toks[k].SingularClass)&textproc.PlaceNoun != 0 {
				return i, k + 1
			}
		}
	}
	return 0, 0
}

// number returns the first number that is not part of a date, with the word after it.
func (r *sentenceReader) number() (a, b int) {
	toks := r.sentence.Tokens
	from, to := r.date()
	for i, t := range toks {
		if i >= from && i < to || t.Lower == "one" || !t.Is(textproc.NumberWord) && !t.Has(textproc.Digits) {
			continue
		}
		if b = i + 1; b < len(toks) && toks[b].Has(textproc.Letters) {
			b++
		}
		return i, b
	}
	return 0, 0
}

// reason returns the clause that begins with a word of reason.
func (r *sentenceReader) reason() (a, b int) {
	toks := r.sentence.Tokens
	for i, t := range toks {
		if i > 1 && i < len(toks)-2 && t.IsOneOf(" because since therefore ") {
			return i, len(toks)
		}
	}
	return 0, 0
}
