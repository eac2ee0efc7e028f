package cite

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
)

// A writtenAnswer is an answer that a reader wrote in the place of a model, in his own words, and
// his judgement which words of the text support each statement.
type writtenAnswer struct {
	Question string
	Sources  [][2]int // byte ranges of the text, in the order of their numbers
	Answer   string   // as written, with citations of sentences
	Supports []struct {
		Statement string   // its beginning
		Evidence  []string // a quote that supports it holds one of these
	}
}

// TestWrittenAnswers resolves the citations of answers that share few words with the text. Where
// sentences are cited, every quote supports its statement. Where only records are, a quote is
// missing rather than wrong, except for a few.
func TestWrittenAnswers(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "christmas-carol", "stave-1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join("testdata", "written-answers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var answers []writtenAnswer
	if err := json.Unmarshal(file, &answers); err != nil {
		t.Fatal(err)
	}
	sentence := regexp.MustCompile(`(\d+)\.\d+`)
	for _, tc := range []struct {
		name              string
		answer            func(string) string
		citations         int
		leastRight, wrong int // of all answers
		mostWithoutQuote  int
	}{
		{"sentences", func(s string) string { return s }, 20, 20, 0, 0},
		{"records", func(s string) string { return sentence.ReplaceAllString(s, "$1") }, 18, 6, 2, 11},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			citations, right, wrong, without := 0, 0, 0, 0
			for _, a := range answers {
				got := resolveWritten(t, string(body), a, tc.answer(a.Answer))
				if got.Uncited > 0 || got.Dangling > 0 {
					t.Errorf("%s: %d statements uncited, %d references dangling", a.Question, got.Uncited, got.Dangling)
				}
				for _, c := range got.Citations {
					citations++
					switch {
					case c.Quote == "":
						without++
					case a.supports(c):
						right++
					default:
						wrong++
						t.Logf("%q is quoted for %q", c.Quote, c.Statement)
					}
				}
			}
			t.Logf("%d citations: %d right, %d wrong, %d without a quote", citations, right, wrong, without)
			if citations != tc.citations || right < tc.leastRight || wrong > tc.wrong || without > tc.mostWithoutQuote {
				t.Errorf("want %d citations, at least %d right, at most %d wrong and %d without a quote", tc.citations, tc.leastRight, tc.wrong, tc.mostWithoutQuote)
			}
		})
	}
}

// resolveWritten resolves an answer whose sources are parts of a text.
func resolveWritten(t *testing.T, text string, a writtenAnswer, answer string) Answer {
	t.Helper()
	known, offered := Known{}, map[report.Local]string{}
	for i, at := range a.Sources {
		ev := chunkEvidence(fmt.Sprintf("c/%d", i+1), text[at[0]:at[1]])
		known[graph.Reference{Kind: graph.KindChunk, Key: ev.Key}] = ev
		offered[report.Local{Kind: graph.KindChunk, N: i + 1}] = ev.Key
	}
	checked, numbers, _, _ := CheckAnswer(answer, offered)
	var records []Record
	for _, ref := range numbers.List() {
		records = append(records, Record{Reference: ref})
	}
	got, err := Resolver{Evidence: &fakeGraph{}}.Generated(t.Context(), checked, records, known, nil)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// supports reports whether the quote of a citation holds the evidence of its statement.
func (a writtenAnswer) supports(c Citation) bool {
	quote := strings.Join(strings.Fields(c.Quote), " ")
	for _, s := range a.Supports {
		if strings.HasPrefix(c.Statement, s.Statement) {
			return slices.ContainsFunc(s.Evidence, func(e string) bool { return strings.Contains(quote, e) })
		}
	}
	return false
}
