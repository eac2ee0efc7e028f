package openai

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLoopsAreCut keeps one copy of a passage that a text ends with again and again, and all
// that comes before.
func TestLoopsAreCut(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := []rune("abcdefgh äöü漢字")
		b := make([]rune, 3+r.IntN(8))
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return string(b)
	}
	words := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(word() + " ")
		}
		return b.String()
	}
	for range 300 {
		before, passage := words(r.IntN(60)), words(4+r.IntN(40))
		copies := max(minCopies, minLoop/len(passage)+1) + 1 + r.IntN(30)
		text := before + strings.Repeat(passage, copies)
		text = strings.ToValidUTF8(text[:len(text)-r.IntN(len(passage))], "") // the last copy may be cut off
		got, found := cutLoop(text)
		if !found || len(got) > len(before)+len(passage) || len(got) < len(passage)-4 || !strings.HasPrefix(text, got) {
			t.Fatalf("%d copies of %q after %q: got %q, %v", copies, passage, before, got, found)
		}
		if again, more := cutLoop(got); more || again != got {
			t.Fatalf("%q is cut again to %q", got, again)
		}
		plain := words(400)
		if got, found := cutLoop(plain); found || got != plain {
			t.Fatalf("text without a loop is cut: %q", plain)
		}
	}
}

// TestRepetitionIsNoLoop leaves alone what repeats for a reason.
func TestRepetitionIsNoLoop(t *testing.T) {
	t.Parallel()
	lines := func(n int, line func(int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"a list":       lines(200, func(i int) string { return fmt.Sprintf("- The keeper of the lighthouse in the year %d\n", 1800+i) }),
		"a table":      lines(200, func(i int) string { return fmt.Sprintf("| the keeper | the lighthouse | %d |\n", i*i%97) }),
		"equal rows":   "| a | b |\n" + strings.Repeat("| 0.00 | 0.00 | 0.00 |\n", 7),
		"JSON records": lines(300, func(i int) string { return fmt.Sprintf(`{"name":"n%d","type":"person","description":"d"},`, i) }),
		"a refrain": lines(12, func(i int) string {
			return fmt.Sprintf("Verse %d is different.\nRow, row, row your boat,\ngently down the stream.\n\n", i)
		}),
		"a ruler":         "Table\n" + strings.Repeat("-", 400),
		"a wide rule":     strings.Repeat("|---", 120) + "|",
		"dots":            "Contents " + strings.Repeat(". ", 200) + "12",
		"zeros":           "[" + strings.Repeat("0, ", 300) + "0]",
		"a loop in front": strings.Repeat("the keeper of the lighthouse and ", 40) + "then an end that differs, with other words.",
		"laughter":        strings.Repeat("ha ", 100),
		"short":           strings.Repeat("the keeper of the lighthouse. ", 7),
		"empty":           "",
	} {
		if got, found := cutLoop(text); found {
			t.Errorf("%s is cut to %d of %d bytes: %q", name, len(got), len(text), got)
		}
	}
	for name, text := range map[string]string{
		"white space": `{"entities": []` + strings.Repeat(" \n", 1200), "a letter": strings.Repeat("a", 2500),
		"a sentence": strings.Repeat("Ingrid Solberg was the keeper of the lighthouse [1.5]. ", 12), "records": strings.Repeat(`{"name":"Ingrid","type":"person"},`, 40) + `{"name":"In`,
	} {
		if got, found := cutLoop(text); !found || len(got) > len(text)/4 {
			t.Errorf("%s is not cut: %d of %d bytes", name, len(got), len(text))
		}
	}
}

// FuzzCutLoop keeps the beginning of any text.
func FuzzCutLoop(f *testing.F) {
	f.Add("a b c", "x", 10)
	f.Fuzz(func(t *testing.T, before, passage string, copies int) {
		text := before + strings.Repeat(passage, min(max(copies, 0), 50))
		if got, found := cutLoop(text); !found && got != text || found && !strings.HasPrefix(strings.ToValidUTF8(text, ""), strings.ToValidUTF8(got, "")) {
			t.Errorf("cutLoop(%q) = %q, %v", text, got, found)
		}
	})
}
