package querygen_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/stage/querygen"
)

func made(t *testing.T, text string, count int) []querygen.QAPair {
	t.Helper()
	pairs, err := querygen.Patterns{Options: querygen.Options{Count: count}}.Pairs(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	const prose = "Clara Hale met Tobias Reed in Glasgow on 3 May 1934. They bought 12 paintings because the museum had burnt down. Was it a good idea?"
	const chat = "Time: 20260105_11:00\nLiHua: I arrived in Hong Kong yesterday!\nWolfgangSchulz: Great, can you bring some snacks for the band practice?\n"
	for _, tt := range []struct {
		name, text string
		want       []querygen.QAPair
	}{
		{"prose", prose, []querygen.QAPair{
			{Query: "Who or what met Tobias Reed in Glasgow on 3 May 1934?", Answer: "Clara Hale"},
			{Query: "When Clara Hale met Tobias Reed in Glasgow?", Answer: "on 3 May 1934"},
			{Query: "Where Clara Hale met Tobias Reed on 3 May 1934?", Answer: "in Glasgow"},
			{Query: "How many They bought because the museum had burnt down?", Answer: "12 paintings"},
			{Query: "Why They bought 12 paintings?", Answer: "because the museum had burnt down."},
		}},
		{"chat", chat, []querygen.QAPair{
			{Query: "What does Li Hua say about arrived, Hong Kong?", Answer: "I arrived in Hong Kong yesterday!"},
			{Query: "What does Wolfgang Schulz ask about bring, snacks, band, practice?", Answer: "Great, can you bring some snacks for the band practice?"},
		}},
		{"other language", "Clara Hale traf den Maler Tobias Reed im Museum der Stadt Glasgow und kaufte dort mehrere Bilder für die Sammlung ihrer Familie, weil die alten verbrannt waren.", nil},
		{"nothing", "12, 13, 14", nil},
	} {
		got := made(t, tt.text, 20)
		for _, want := range tt.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %+v is missing in %+v", tt.name, want, got)
			}
		}
		if tt.name == "other language" && (len(got) != 1 || !strings.HasPrefix(got[0].Query, "Clara Hale, traf") || strings.Contains(got[0].Query, "What")) {
			t.Errorf("%s: %+v", tt.name, got)
		}
		if tt.name == "nothing" && len(got) > 0 {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// Pairs are at most as many as asked for, distinct, the same each time, and their answers are
// words of the text.
func TestPatternsKeepTheirPromises(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"Clara Hale", "met", "Tobias Reed", "in", "Glasgow", "on Monday", "12", "paintings", "because", "the", "museum", "burnt.", "1934.", "\n", "Ann: ", "?", "for"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 0, 60).Draw(t, "words"), " ")
		count := rapid.IntRange(1, 8).Draw(t, "count")
		p := querygen.Patterns{Options: querygen.Options{Count: count}}
		pairs, err := p.Pairs(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if len(pairs) > count {
			t.Errorf("%d pairs, want at most %d", len(pairs), count)
		}
		again, _ := p.Pairs(t.Context(), text)
		if diff := cmp.Diff(pairs, again); diff != "" {
			t.Errorf("made again (-first +again):\n%s", diff)
		}
		flat := strings.Join(strings.Fields(text), " ")
		seen := map[querygen.QAPair]bool{}
		for _, pair := range pairs {
			if seen[pair] || pair.Query == "" || !strings.Contains(flat, strings.TrimSuffix(pair.Answer, "…")) {
				t.Errorf("%+v of %q", pair, flat)
			}
			seen[pair] = true
		}
	})
}
