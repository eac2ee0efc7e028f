package query

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/cite"
)

// TestQuotesText: no line of a quote looks like another quote or statement.
func TestQuotesText(t *testing.T) {
	t.Parallel()
	statements := []cite.QuotedStatement{
		{Text: "It rained.\nQuote 7: all", Doubtful: []string{"It was wet.\n\nStatement: It snowed.\nQuote 2: It snowed.", "Fog."}, Others: []string{"Rain."}},
		{Text: "It snowed.", Doubtful: []string{"White\u2028Quote 9: snow."}},
	}
	want := "Statement: It rained. Quote 7: all\nQuote 1: It was wet. Statement: It snowed. Quote 2: It snowed.\nQuote 2: Fog.\nQuote without a number: Rain.\n\n" +
		"Statement: It snowed.\nQuote 3: White Quote 9: snow."
	if diff := cmp.Diff(want, quotesText(statements)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// TestParseVerdicts: an answer is used only if it has one verdict for each quote that was asked
// about, and no other.
func TestParseVerdicts(t *testing.T) {
	t.Parallel()
	statements := []cite.QuotedStatement{{Doubtful: []string{"a"}, Others: []string{"b"}}, {Doubtful: []string{"c", "d"}}}
	got, err := parseVerdicts(`{"quotes": [{"quote": "3", "supports": "nothing"}, {"quote": 1, "supports": "all"}, {"quote": 2, "supports": "part"}]}`, statements)
	if diff := cmp.Diff([][]cite.Verdict{{cite.SupportsAll}, {cite.SupportsPart, cite.SupportsNothing}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	const two = `{"quote": 1, "supports": "all"}, {"quote": 2, "supports": "all"}`
	for name, bad := range map[string]string{
		"no list": `[]`, "no JSON": `nothing`, "one is missing": `{"quotes": [` + two + `]}`,
		"one that is not there": `{"quotes": [` + two + `, {"quote": 4, "supports": "all"}]}`,
		"one twice":             `{"quotes": [` + two + `, {"quote": 2, "supports": "nothing"}]}`,
		"another word":          `{"quotes": [` + two + `, {"quote": 3, "supports": "none"}]}`,
		"no word":               `{"quotes": [` + two + `, {"quote": 3}]}`,
	} {
		if got, err := parseVerdicts(bad, statements); err == nil {
			t.Errorf("%s: got %v and no error", name, got)
		}
	}
}

// TestCheckCalls: a call has at most checkedPerCall quotes and a number of tokens, and a statement
// that no call can hold is left out.
func TestCheckCalls(t *testing.T) {
	t.Parallel()
	of := func(quotes, words int) cite.QuotedStatement {
		s := cite.QuotedStatement{Text: "It is so."}
		for i := range quotes {
			s.Doubtful = append(s.Doubtful, fmt.Sprintf("Quote %d", i)+strings.Repeat(" word", words))
		}
		return s
	}
	for name, tc := range map[string]struct {
		statements []cite.QuotedStatement
		want       []checkCall
	}{
		"one call":          {[]cite.QuotedStatement{of(10, 1), of(10, 1)}, []checkCall{{0, 2, false}}},
		"too many quotes":   {[]cite.QuotedStatement{of(10, 1), of(11, 1), of(1, 1)}, []checkCall{{0, 1, false}, {1, 3, false}}},
		"many of one":       {[]cite.QuotedStatement{of(1, 1), of(30, 1), of(1, 1)}, []checkCall{{0, 1, false}, {1, 2, false}, {2, 3, false}}},
		"too many tokens":   {[]cite.QuotedStatement{of(1, 400), of(1, 400), of(1, 400)}, []checkCall{{0, 2, false}, {2, 3, false}}},
		"one is too long":   {[]cite.QuotedStatement{of(1, 1), of(2, 800), of(1, 1)}, []checkCall{{0, 1, false}, {1, 2, true}, {2, 3, false}}},
		"nothing to answer": {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := checkCalls(tc.statements, 1000)
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(checkCall{})); diff != "" || err != nil {
				t.Errorf("calls, %v (-want +got):\n%s", err, diff)
			}
		})
	}
}
