package cite

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestCheckedAnswer: a quote that a Checker finds to support nothing is removed with its citation,
// the mark of it and its reference, and a statement without another one counts as uncited. Quotes
// that are not judged stay.
func TestCheckedAnswer(t *testing.T) {
	t.Parallel()
	const (
		coal = "The clerk's fire was so very much smaller that it looked like one coal."
		fog  = "The fog came pouring in at every chink and keyhole."
	)
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{"c/coal": chunkEvidence("c/coal", coal), "c/fog": chunkEvidence("c/fog", fog)}}
	records := []Record{
		{Reference: graph.Reference{Kind: graph.KindChunk, Key: "c/coal"}},
		{Reference: graph.Reference{Kind: graph.KindChunk, Key: "c/fog"}},
	}
	const (
		alone = "He treated the poor man of his office meanly [1.1]. The fog came pouring in at every chink and keyhole [2]."
		both  = "He treated the clerk meanly, and fog came in at every chink and keyhole [1.1][2.1]."
	)
	failed := errors.New("no answer")
	for _, tc := range []struct {
		name, generated string
		verdicts        [][]Verdict
		err             error
		asked           []QuotedStatement
		text            string
		quotes          []string
		references      int
		counts          []int // unsupported, unchecked, uncited
	}{
		{
			"nothing, alone", alone,
			[][]Verdict{{SupportsNothing}},
			nil,
			[]QuotedStatement{{Text: "He treated the poor man of his office meanly", Doubtful: []string{coal}}},
			"He treated the poor man of his office meanly. The fog came pouring in at every chink and keyhole [1].",
			[]string{fog},
			1,
			[]int{1, 0, 1},
		},
		{
			"nothing, next to another quote", both,
			[][]Verdict{{SupportsNothing, SupportsPart}},
			nil,
			[]QuotedStatement{{Text: "He treated the clerk meanly, and fog came in at every chink and keyhole", Doubtful: []string{coal, fog}}},
			"He treated the clerk meanly, and fog came in at every chink and keyhole [1].",
			[]string{fog},
			1,
			[]int{1, 0, 0},
		},
		{
			"a part", alone,
			[][]Verdict{{SupportsPart}},
			nil,
			[]QuotedStatement{{Text: "He treated the poor man of his office meanly", Doubtful: []string{coal}}},
			"He treated the poor man of his office meanly [1]. The fog came pouring in at every chink and keyhole [2].",
			[]string{coal, fog},
			2,
			[]int{0, 0, 0},
		},
		{
			"all", alone,
			[][]Verdict{{SupportsAll}},
			nil,
			[]QuotedStatement{{Text: "He treated the poor man of his office meanly", Doubtful: []string{coal}}},
			"He treated the poor man of his office meanly [1]. The fog came pouring in at every chink and keyhole [2].",
			[]string{coal, fog},
			2,
			[]int{0, 0, 0},
		},
		{
			"no verdict", alone, nil, failed,
			[]QuotedStatement{{Text: "He treated the poor man of his office meanly", Doubtful: []string{coal}}},
			"He treated the poor man of his office meanly [1]. The fog came pouring in at every chink and keyhole [2].",
			[]string{coal, fog},
			2,
			[]int{0, 1, 0},
		},
		{
			"no doubt", "The clerk's fire was so very much smaller that it looked like one coal [1]. The fog came pouring in at every chink and keyhole [2].", nil, failed, nil,
			"The clerk's fire was so very much smaller that it looked like one coal [1]. The fog came pouring in at every chink and keyhole [2].",
			[]string{coal, fog},
			2,
			[]int{0, 0, 0},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var asked []QuotedStatement
			a, err := Resolver{Evidence: g}.Generated(t.Context(), tc.generated, records, nil, func(_ context.Context, s []QuotedStatement) ([][]Verdict, error) {
				asked = s
				return tc.verdicts, tc.err
			})
			if err != nil || a.Text != tc.text || len(a.References) != tc.references {
				t.Errorf("got %q with %d references, %v; want %q with %d", a.Text, len(a.References), err, tc.text, tc.references)
			}
			var quotes []string
			for _, c := range a.Citations {
				quotes = append(quotes, c.Quote)
			}
			if diff := cmp.Diff(tc.quotes, quotes); diff != "" {
				t.Errorf("quotes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.asked, asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.counts, []int{a.Unsupported, a.Unchecked, a.Uncited}); diff != "" {
				t.Errorf("unsupported, unchecked and uncited (-want +got):\n%s", diff)
			}
			if unsaid := tc.err != nil && asked != nil; (a.CheckErr != nil) != unsaid {
				t.Errorf("the check failed with %v", a.CheckErr)
			}
		})
	}
}

// TestDropUnsupported: another quote of the same citation takes the place of one that is dropped,
// and a quote of several citations is judged once.
func TestDropUnsupported(t *testing.T) {
	t.Parallel()
	quote := func(words string, rest ...resolved) resolved {
		return resolved{Reference: Reference{Key: "c/1", Title: "T", Quote: words, Approximate: true}, rest: rest}
	}
	exact := func(words string, rest ...resolved) resolved {
		return resolved{Reference: Reference{Key: "c/1", Title: "T", Quote: words}, rest: rest}
	}
	for _, tc := range []struct {
		name     string
		found    []resolved
		nothing  []string // quotes that support nothing
		doubtful []string
		kept     [][]string // quotes of each citation
		dropped  int
	}{
		{"all quotes of a citation", []resolved{quote("a", quote("b")), exact("c")}, []string{"a", "b"}, []string{"a", "b"}, [][]string{nil, {"c"}}, 2},
		{"the first", []resolved{quote("a", exact("b"), quote("c"))}, []string{"a"}, []string{"a", "c"}, [][]string{{"b", "c"}}, 1},
		{"the second", []resolved{exact("a", quote("b"))}, []string{"b"}, []string{"b"}, [][]string{{"a"}}, 1},
		{"a quote of two citations", []resolved{quote("a"), quote("a", exact("b"))}, []string{"a"}, []string{"a"}, [][]string{nil, {"b"}}, 2},
		{"of two statements, one", []resolved{quote("a"), quote("b")}, []string{"b"}, []string{"a", "b"}, [][]string{{"a"}, nil}, 1},
		{"none", []resolved{exact("a"), {Reference: Reference{Key: "c/2", Quote: "b"}}, {Reference: Reference{Key: "c/3"}}}, []string{"a", "b"}, nil, [][]string{{"a"}, {"b"}, nil}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			statements := make([]Statement, len(tc.found))
			if tc.name == "of two statements, one" {
				statements[1].Text = "another"
			}
			var doubtful []string
			got, err := dropUnsupported(t.Context(), tc.found, statements, func(_ context.Context, all []QuotedStatement) (verdicts [][]Verdict, err error) {
				for _, s := range all {
					of := make([]Verdict, len(s.Doubtful))
					for i, q := range s.Doubtful {
						of[i] = SupportsPart
						for _, n := range tc.nothing {
							if q == n {
								of[i] = SupportsNothing
							}
						}
					}
					doubtful, verdicts = append(doubtful, s.Doubtful...), append(verdicts, of)
				}
				return verdicts, nil
			})
			if err != nil || got.dropped != tc.dropped || got.missing != 0 {
				t.Errorf("got %+v, %v, want %d dropped", got, err, tc.dropped)
			}
			kept := make([][]string, len(tc.found))
			for i, f := range tc.found {
				if f.unsupported != f.dropped || f.Key == "" || f.dropped != (f.Quote == "" && f.Key == "c/1") {
					t.Errorf("citation %d is %+v", i, f)
				}
				for _, q := range append([]resolved{f}, f.rest...) {
					if q.Quote != "" {
						kept[i] = append(kept[i], q.Quote)
					}
				}
			}
			if diff := cmp.Diff(tc.kept, kept); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.doubtful, doubtful); diff != "" {
				t.Errorf("doubtful (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckIsCancelled: a context that ends while quotes are checked ends the answer.
func TestCheckIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	found := []resolved{{Reference: Reference{Quote: "a", Approximate: true}}}
	_, err := dropUnsupported(ctx, found, make([]Statement, 1), func(context.Context, []QuotedStatement) ([][]Verdict, error) {
		cancel()
		return [][]Verdict{{SupportsNothing}}, nil
	})
	if !errors.Is(err, context.Canceled) || found[0].dropped {
		t.Errorf("got %v, %+v", err, found[0])
	}
}
