package cite

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
)

var offeredSources = map[report.Local]string{{Kind: graph.KindChunk, N: 1}: "a", {Kind: graph.KindChunk, N: 2}: "b"}

// A list of references that a model adds is cut, whatever its form, and its numbers are no
// citations. Text that only resembles one stays.
func TestOwnLists(t *testing.T) {
	t.Parallel()
	const answer = "Ingrid was the keeper [1.5]."
	for list, entries := range map[string]int{
		"References\n[1] lighthouse.md\n[2] made-up.pdf":                 2,
		"### References\n\n- [1] lighthouse.md\n- [2] made-up.pdf\n":     2,
		"**References**\n* [1] lighthouse.md":                            1,
		"**Sources:**\n1. lighthouse.md\n2. https://example.org/a":       2,
		"Sources: [1] lighthouse.md":                                     1,
		"---\n\n**Quellen:**\n[1] leuchtturm.md\n\n[2] erfunden.pdf\n\n": 2,
		"Références :\n[1] phare.md":                                     1,
		"Fuentes\n- [1] faro.md":                                         1,
		"Bibliografia:\n(1) faro.md\n(2) altro.md":                       2,
		"Источники:\n1. маяк.md":                                         1,
		"参考文献\n[1] lighthouse.md\n【2】 made-up.pdf":                       2,
		"参考資料：\n- lighthouse.md":                                         1,
		"Bibliography\n- `lighthouse.md`\n- <https://example.org>":       2,
		"SOURCES\n- [Source 1] The lighthouse\n- [Data: Sources (2)] B":  2,
		"[^1]: lighthouse.md\n[^2]: made-up.pdf":                         2,
		"References:\n\\[1\\] lighthouse.md":                             1,
		// No list.
		"References are rare.\n[1] is one":                                 0,
		"Sources:\n- The diary of the keeper [1.2]\n- A letter [1.5]":      0,
		"Sources:\n- diaries\n- letters":                                   0,
		"References\n[1] lighthouse.md\n\nThe lamp was lit in 1902 [1.2].": 0,
		"Sources of income: [1] fish":                                      0,
		"---\n\nThe end [2].":                                              0,
		"References":                                                       0,
	} {
		text := answer + "\n\n" + list
		got, numbers, _, removed := CheckAnswer(text, offeredSources)
		if removed != entries || (entries > 0) != (got == "Ingrid was the keeper [1.5].") || entries > 0 && len(numbers.List()) != 1 {
			t.Errorf("%q: %d entries removed, want %d; left %q with %d references", list, removed, entries, got, len(numbers.List()))
		}
		for size := 1; size <= len(text); size++ {
			var streamed strings.Builder
			s := NewStream(offeredSources, func(piece string) { streamed.WriteString(piece) })
			for at := 0; at < len(text); at += size {
				s.Write(text[at:min(at+size, len(text))])
			}
			s.Close()
			if want := StripSentences(got); streamed.String() != want {
				t.Fatalf("%q in pieces of %d is streamed as %q, want %q", list, size, streamed.String(), want)
			}
		}
	}
	if got, _, _, removed := CheckAnswer("References\n[1] lighthouse.md", offeredSources); removed != 0 || got == "" {
		t.Errorf("an answer that is a list becomes %q", got)
	}
}

// Words of an answer are shown while its line is written, unless it may begin a list.
func TestLinesAreStreamed(t *testing.T) {
	t.Parallel()
	shown := ""
	s := NewStream(offeredSources, func(piece string) { shown += piece })
	s.Write("Ingrid was the keeper of ")
	if shown != "Ingrid was the keeper" {
		t.Errorf("shown %q", shown)
	}
	s.Write("it.\nSources say that she ")
	if shown != "Ingrid was the keeper of it.\nSources say that" {
		t.Errorf("shown %q", shown)
	}
	s.Close()
}

// Citations in forms that nothing asks for are read where they can mean one thing only.
func TestUnusualBrackets(t *testing.T) {
	t.Parallel()
	mixed := map[report.Local]string{{Kind: graph.KindChunk, N: 1}: "a", {Kind: graph.KindEntity, N: 1}: "b"}
	for _, c := range []struct {
		text, want string
		offered    map[report.Local]string
	}{
		{"She was the keeper (1.5).", "She was the keeper [1.5].", offeredSources},
		{"She was the keeper. (1.5)\n\nAnd he was not (2.1)", "She was the keeper. [1.5]\n\nAnd he was not (2.1)", offeredSources},
		{`She was the keeper \[1.1\].`, "She was the keeper [1.1].", offeredSources},
		{`She was the keeper \[Source 2\].`, "She was the keeper [1].", offeredSources},
		{"She was the keeper [1.5](http://evil.example/x).", "She was the keeper [1.5].", offeredSources},
		{"She was the keeper [1.5, 2.1](#a).", "She was the keeper [1.5][2.1].", offeredSources},
		{"The ratio (1.5) fell.", "The ratio (1.5) fell.", offeredSources},
		{"The ratio fell (9.5).", "The ratio fell (9.5).", offeredSources},
		{"She was the keeper [1.5]. The ratio fell (1.2).", "She was the keeper [1.5]. The ratio fell (1.2).", offeredSources},
		{"The ratio fell (1.5).", "The ratio fell (1.5).", mixed},
		{"In 1902 (12).", "In 1902 (12).", offeredSources},
		{`The formula \[ a = 1 \] holds.`, `The formula \[ a = 1 \] holds.`, offeredSources},
		{`An escaped \[note\].`, `An escaped \[note\].`, offeredSources},
	} {
		if got, _, _, _ := CheckAnswer(c.text, c.offered); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}
