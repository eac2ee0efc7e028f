package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	maxSentences = 400 // of the evidence; sentences of the first records are kept
	maxPerRecord = 8   // sentences of one description
	maxRefs      = 3   // references of one sentence; more would be hard to read
)

// A sentence is a sentence of the evidence that may be used in the report.
type sentence struct {
	text  string
	refs  []target
	about []string // keys of entities
	from  *Record  // the first record that contains it
	lead  bool     // it is the first sentence of an entity's description or of a report
	terms textproc.TermSet
	score float64
	used  bool
}

// sentencesOf returns the distinct sentences of a context's records. Records with the
// same sentence are all among its references, up to maxRefs.
func sentencesOf(c Context) []*sentence {
	var out []*sentence
	byText := map[string]*sentence{}
	add := func(s sentence) {
		if s.text = cleanSentence(s.text); !hasContent(s.text) || isRunOn(s.text) {
			return
		}
		key := strings.ToLower(strings.TrimRight(s.text, ".!? "))
		old := byText[key]
		if old == nil {
			if len(out) == maxSentences {
				return
			}
			s.terms = textproc.TermSetOf(s.text)
			byText[key] = &s
			out = append(out, &s)
			return
		}
		for _, t := range s.refs {
			if len(old.refs) < maxRefs && !slices.Contains(old.refs, t) {
				old.refs = append(old.refs, t)
			}
		}
		for _, a := range s.about {
			if !slices.Contains(old.about, a) {
				old.about = append(old.about, a)
			}
		}
	}
	for i := range c.Records {
		r := &c.Records[i]
		if r.child != nil {
			for k, s := range citedSentences(*r.child) {
				s.from, s.about, s.lead = r, entitiesNamedIn(s.text, c.Prominent), k == 0
				add(s)
			}
			continue
		}
		body := plainLine(r.body)
		spans := textproc.Sentences(body)
		for k, span := range spans[:min(len(spans), maxPerRecord)] {
			add(sentence{
				text: body[span.Start:span.End], refs: []target{{Kind: r.Kind, Key: r.Key}}, about: slices.Clone(r.about), from: r,
				lead: k == 0 && r.Kind == graph.KindEntity,
			})
		}
	}
	return out
}

// citedSentences splits the texts of a report into sentences with their references. A
// sentence without references gets the references of the next one in its text that has some,
// else a reference to the report.
func citedSentences(r graph.Report) []sentence {
	texts := []string{r.Summary}
	for _, f := range r.Findings {
		texts = append(texts, f.Explanation)
	}
	var out []sentence
	for _, text := range texts {
		plain, at, refs := cutMarks(text, r)
		spans := textproc.Sentences(plain)
		in := make([]sentence, len(spans))
		for i, span := range spans {
			in[i].text = plain[span.Start:span.End]
		}
		for i, offset := range at {
			last := -1
			for k, span := range spans {
				if span.Start < offset {
					last = k
				}
			}
			if last >= 0 {
				in[last].refs = append(in[last].refs, refs[i]...)
			}
		}
		next := []target{{Kind: graph.KindReport, Key: r.Key}}
		for i := len(in) - 1; i >= 0; i-- {
			if len(in[i].refs) == 0 {
				in[i].refs = slices.Clone(next)
			}
			in[i].refs = in[i].refs[:min(len(in[i].refs), maxRefs)]
			next = in[i].refs
		}
		out = append(out, in...)
	}
	return out
}

// cutMarks removes the references from a stored text and returns their offsets in
// the plain text with their targets. A reference to a report further down becomes
// one to this report.
func cutMarks(text string, r graph.Report) (plain string, at []int, refs [][]target) {
	var b strings.Builder
	from := 0
	for _, m := range storedMark.FindAllStringIndex(text, -1) {
		b.WriteString(text[from:m[0]])
		from = m[1]
		var found []target
		for _, t := range targetsOf(text[m[0]:m[1]], r) {
			if t.Kind == graph.KindReport {
				t.Key = r.Key
			}
			if !slices.Contains(found, t) {
				found = append(found, t)
			}
		}
		at = append(at, b.Len())
		refs = append(refs, found)
	}
	b.WriteString(text[from:])
	return b.String(), at, refs
}

// minCharacters is about three words of a script that does not separate them.
const minCharacters = 6

// hasContent reports whether a sentence has at least three words.
func hasContent(text string) bool {
	return len(strings.Fields(text)) > 2 || !language.Of(text).SeparatesWords() && utf8.RuneCountInString(text) >= minCharacters
}

// entitiesNamedIn returns the keys of the entities whose names a sentence contains.
func entitiesNamedIn(text string, entities []graph.Entity) []string {
	lower := strings.ToLower(text)
	var keys []string
	for _, e := range entities {
		if strings.Contains(lower, strings.ToLower(e.Name)) {
			keys = append(keys, e.Key)
		}
	}
	return keys
}
