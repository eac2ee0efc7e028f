package textproc

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// DateWeight is the weight of an exact date in a question: a document of that day
// comes before one that shares words.
const DateWeight = 4

// maxQuestionTerms bounds a question's different terms: Lucene refuses a query
// of more than 1024 clauses.
const maxQuestionTerms = 256

// Weighted is a term of a question with its weight; 1 is usual.
type Weighted struct {
	Term   string
	Weight float64
}

// A Query is a question read for search.
type Query struct {
	Terms []Weighted // different ones, sorted by term
	Pairs []string   // different ones, sorted; as Pairs makes them
	Names []string   // proper names as they are written, in order of appearance
}

// ReadQuestion reads a question: its terms without the words that only say how to
// answer, and its exact dates (20260410, 2026-04-10, 2026/4/10) as the term of
// that day.
func ReadQuestion(q string) Query {
	weights := map[string]float64{}
	var sequence []string
	for _, term := range Terms(q) {
		if askingSet()[term] || weights[term] == 0 && len(weights) >= maxQuestionTerms {
			continue
		}
		weights[term] = 1
		sequence = append(sequence, term)
	}
	for _, d := range datesIn(q) {
		if len(weights) < 2*maxQuestionTerms {
			weights[d] = DateWeight
		}
	}
	query := Query{Names: namesIn(q), Pairs: Pairs(sequence)}
	slices.Sort(query.Pairs)
	query.Pairs = slices.Compact(query.Pairs)
	for term, weight := range weights {
		query.Terms = append(query.Terms, Weighted{term, weight})
	}
	slices.SortFunc(query.Terms, func(a, b Weighted) int { return cmp.Compare(a.Term, b.Term) })
	return query
}

var datePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:([0-9]{2})([0-9]{2})|[-/]([0-9]{1,2})[-/]([0-9]{1,2}))(?:[^0-9]|$)`)
})

// datesIn is the days that a text names by numbers, as 20260410, in order.
func datesIn(text string) []string {
	var out []string
	for text != "" {
		m := datePattern().FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		if year, month, day, ok := readDate(text, m); ok {
			out = append(out, stampTerm(year, month, day))
		}
		text = text[max(m[5], m[11], m[7], m[3]):]
	}
	return out
}

// dateIn is the first day that a text names by numbers.
func dateIn(text string) (year, month, day int, ok bool) {
	m := datePattern().FindStringSubmatchIndex(text)
	if m == nil {
		return 0, 0, 0, false
	}
	return readDate(text, m)
}

func readDate(text string, m []int) (year, month, day int, ok bool) {
	number := func(group int) (n int) {
		if m[2*group] >= 0 {
			for _, c := range text[m[2*group]:m[2*group+1]] {
				n = 10*n + int(c-'0')
			}
		}
		return n
	}
	year, month, day = number(1), number(2)+number(4), number(3)+number(5)
	return year, month, day, 1 <= month && month <= 12 && 1 <= day && day <= 31
}

// stampTerm is the term of a day, or of a year where month is 0.
func stampTerm(year, month, day int) string {
	if month == 0 {
		return fmt.Sprintf("%04d", year)
	}
	return fmt.Sprintf("%04d%02d%02d", year, month, day)
}

// namesIn is the runs of capitalised words, and words written like JaneDoe. A
// word that starts a sentence belongs to a name only when it goes on after it.
func namesIn(q string) []string {
	var names, run []string
	first := false // the run starts a sentence
	end := func() {
		if len(run) > 1 || len(run) == 1 && (!first || camelCased(run[0])) {
			if name := strings.Join(run, " "); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		run = nil
	}
	opening := true
	for field := range strings.FieldsSeq(q) {
		word := strings.TrimFunc(field, func(r rune) bool { return !wordRune(r) })
		bare := strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		r, _ := utf8.DecodeRuneInString(bare)
		capital := unicode.IsUpper(r) || camelCased(bare)
		if capital && len(run) == 0 && opening && !camelCased(bare) && plainOpening(bare) {
			capital = false
		}
		if !capital || !strings.HasPrefix(field, word) {
			end()
		}
		if capital {
			if len(run) == 0 {
				first = opening
			}
			run = append(run, bare)
			if !strings.HasSuffix(field, bare) {
				end()
			}
		}
		opening = strings.HasSuffix(field, ".") || strings.HasSuffix(field, "?") || strings.HasSuffix(field, "!")
	}
	end()
	return names
}

// plainOpening tells whether a word only opens a question: Did, Who, Describe.
func plainOpening(word string) bool {
	for _, term := range Terms(word) {
		if !askingSet()[term] {
			return false
		}
	}
	return true
}

// camelCased tells whether a capital follows a small letter.
func camelCased(word string) bool {
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
