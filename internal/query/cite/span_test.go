package cite

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const guide = `# Heavy rain in the valley

Marley was dead, to begin with. He had signed the register in his own hand. Scrooge knew it well.

Does heavy rain damage the bridge?

The bridge was closed in 1843. These repairs took three years. Nobody in the valley complained about the noise.

The mill needs the following:

- a new wheel of oak
- two stones from France
- a miller who can count
`

// TestFind: a quote is the sentences that hold most of a statement, with what they depend on,
// and nothing where only a little is shared.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, statement, about, want string }{
		{"one sentence", "In 1843 the bridge had to be closed.", "", "The bridge was closed in 1843."},
		{"with the sentence of the pronoun", "Marley signed the register by hand.", "", "Marley was dead, to begin with. He had signed the register in his own hand."},
		{"with the sentence of the demonstrative", "It took three years to repair the bridge.", "", "The bridge was closed in 1843. These repairs took three years."},
		{"two sentences", "The bridge, closed in 1843, was repaired within three years.", "", "The bridge was closed in 1843. These repairs took three years."},
		{"an item with its introduction", "The mill lacks a wheel made of oak.", "", "The mill needs the following:\n\n- a new wheel of oak"},
		{"a short item of a list", "Two stones", "What the mill needs:", "The mill needs the following:\n\n- a new wheel of oak\n- two stones from France"},
		{"no heading and no question", "Heavy rain in the valley damages the bridge.", "", ""},
		{"below the floor", "The valley elected a mayor, who promised to reform taxes, schools, courts and hospitals.", "", ""},
		{"another language", "Die Brücke wurde geschlossen.", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := contentOf(tc.statement, tc.about)
			got, ok := c.find([]string{guide}, [][]unit{unitsOf(guide)})
			quote := ""
			if ok {
				quote = guide[got.span.Start:got.span.End]
			}
			if strings.TrimPrefix(quote, "- ") != strings.TrimPrefix(tc.want, "- ") {
				t.Errorf("%q: got %q, want %q (%+v)", tc.statement, quote, tc.want, got)
			}
		})
	}
}

// TestCitedSentences: sentences that a model names are the quote, except headings.
func TestCitedSentences(t *testing.T) {
	t.Parallel()
	units := unitsOf(guide)
	all := Sentences(guide)
	number := func(s string) int {
		for i, one := range all {
			if strings.Contains(one, s) {
				return i + 1
			}
		}
		t.Fatalf("no sentence has %q: %q", s, all)
		return 0
	}
	for _, tc := range []struct {
		name  string
		cited []int
		want  string
	}{
		{"one", []int{number("closed in 1843")}, "The bridge was closed in 1843."},
		{"neighbours", []int{number("Nobody"), number("closed in 1843"), number("repairs")}, "The bridge was closed in 1843. These repairs took three years. Nobody in the valley complained about the noise."},
		{"a pronoun", []int{number("He had")}, "Marley was dead, to begin with. He had signed the register in his own hand."},
		{"a question", []int{number("Does heavy")}, "Does heavy rain damage the bridge?\n\nThe bridge was closed in 1843."},
		{"a heading", []int{number("Heavy rain in")}, ""},
		{"a heading before", []int{number("Heavy rain in"), number("Marley")}, "Marley was dead, to begin with."},
		{"none", []int{9999}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := contentOf("Irgendetwas anderes steht hier.", "")
			got, ok := c.cited(tc.cited, guide, units)
			quote := ""
			if ok {
				quote = guide[got.span.Start:got.span.End]
			}
			if quote != tc.want {
				t.Errorf("got %q, want %q", quote, tc.want)
			}
		})
	}
}

// TestCitedHeadings: a quote neither begins nor ends with a heading, and a question is quoted only
// with its answer.
func TestCitedHeadings(t *testing.T) {
	t.Parallel()
	const source = "# Frost\n\nIt froze. The pond was hard.\n\n# Thaw\n\nDid it thaw?\n\n# Flood\n\nWas it deep? Who measured it?"
	units := unitsOf(source)
	for _, tc := range []struct {
		name  string
		cited []int
		want  string
	}{
		{"before", []int{1, 2}, "It froze."},
		{"behind", []int{3, 4}, "The pond was hard."},
		{"on both sides", []int{2, 3, 4}, "It froze. The pond was hard."},
		{"a question before a heading", []int{5}, ""},
		{"a question and a heading", []int{5, 6}, ""},
		{"two questions", []int{7, 8}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := contentOf("Etwas anderes.", "")
			quote := ""
			if got, ok := c.cited(tc.cited, source, units); ok {
				quote = source[got.span.Start:got.span.End]
			}
			if quote != tc.want {
				t.Errorf("got %q, want %q", quote, tc.want)
			}
		})
	}
}

// TestQuotesAreOfTheText: a quote is a part of the text that shares words with the statement,
// whatever both are.
func TestQuotesAreOfTheText(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"Marley", "bridge", "closed", "1843", "He", "these", "\n\n", "\n- ", ". ", "? ", ": ", "# ", "the", "Ünder", "我们", "Ann: hello", "\n"})
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(t, "source"), " ")
		statement := strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "statement"), " ")
		units := unitsOf(source)
		c := contentOf(statement, "")
		check := func(f found, ok bool) {
			if !ok {
				return
			}
			if f.span.Start < 0 || f.span.End <= f.span.Start || f.span.End > len(source) || f.coverage < 0 || f.coverage > 1.0001 {
				t.Fatalf("%q in %q: %+v", statement, source, f)
			}
		}
		f, ok := c.find([]string{source}, [][]unit{units})
		check(f, ok)
		if ok && c.covered(source[f.span.Start:f.span.End]) == 0 {
			t.Fatalf("%q in %q: the quote %q shares nothing", statement, source, source[f.span.Start:f.span.End])
		}
		check(c.cited(rapid.SliceOfN(rapid.IntRange(1, 30), 1, 5).Draw(t, "cited"), source, units))
	})
}
