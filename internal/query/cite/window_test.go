package cite

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A placedText is a text in chunks that overlap or leave white space out, in a file with other
// bytes in front of it, and perhaps with two bytes at each line end.
type placedText struct {
	text   string
	chunks []neo4jstore.PlacedChunk
	inFile []int // by offset in the text
}

func drawPlacedText(t *rapid.T) placedText {
	var p placedText
	words := rapid.SliceOfN(rapid.StringMatching(`[a-zäß漢]{1,6}[.]?[ \n]{1,3}`), 1, 60).Draw(t, "words")
	p.text = strings.TrimRightFunc(strings.Join(words, ""), unicode.IsSpace)
	verbatim, twoBytes := rapid.Bool().Draw(t, "verbatim"), rapid.Bool().Draw(t, "two bytes")
	at := rapid.IntRange(0, 9).Draw(t, "offset")
	for i := range len(p.text) {
		if !verbatim {
			p.inFile = append(p.inFile, i)
			continue
		}
		p.inFile = append(p.inFile, at)
		if at++; twoBytes && p.text[i] == '\n' {
			at++
		}
	}
	p.inFile = append(p.inFile, p.inFile[len(p.text)-1]+1)
	for start := 0; start < len(p.text); {
		end := start
		for n := rapid.IntRange(1, 80).Draw(t, "length"); end < len(p.text) && end-start < n; {
			_, size := utf8.DecodeRuneInString(p.text[end:])
			end += size
		}
		body := strings.TrimRightFunc(p.text[start:end], unicode.IsSpace)
		from := start + len(body) - len(strings.TrimLeftFunc(body, unicode.IsSpace))
		if to := start + len(body); to > from {
			c := neo4jstore.PlacedChunk{Key: "c", Text: p.text[from:to], Start: from}
			if verbatim {
				c.ChunkPlace = graph.ChunkPlace{FileStart: p.inFile[from], FileEnd: p.inFile[to-1] + 1}
			}
			p.chunks = append(p.chunks, c)
		}
		next := end
		if overlap := rapid.IntRange(0, 8).Draw(t, "overlap"); end < len(p.text) && end-overlap > start {
			next = runeStart(p.text, end-overlap)
		}
		start = max(next, start+1)
		for start < len(p.text) && !utf8.RuneStart(p.text[start]) {
			start++
		}
	}
	return p
}

// TestWindow finds a range that a reference names again, and joins chunks to the text of the document,
// except for white space.
func TestWindow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlacedText(t)
		start := runeStart(p.text, rapid.IntRange(0, len(p.text)-1).Draw(t, "start"))
		end := start + 1
		for n := rapid.IntRange(1, 40).Draw(t, "quote"); end < len(p.text) && (end-start < n || !utf8.RuneStart(p.text[end])); {
			end++
		}
		quote := p.text[start:end]
		if quote != strings.TrimSpace(quote) {
			return // a quote begins and ends with a word
		}
		around := rapid.IntRange(0, 100).Draw(t, "around")
		w := WindowOf(p.chunks, p.inFile[start], p.inFile[end-1]+1, around)
		if bare(w.Quote) != bare(quote) || w.Start != p.inFile[start] || w.End != p.inFile[end-1]+1 {
			t.Fatalf("quote %q at %d to %d, want %q at %d to %d, in chunks %+v", w.Quote, w.Start, w.End, quote, p.inFile[start], p.inFile[end-1]+1, p.chunks)
		}
		if all := w.Before + w.Quote + w.After; !strings.Contains(bare(p.text), bare(all)) || !utf8.ValidString(all) || len(w.Before) > around+utf8.UTFMax || len(w.After) > around {
			t.Fatalf("window %q | %q | %q of %q", w.Before, w.Quote, w.After, p.text)
		}
		if whole := WindowOf(p.chunks, 0, p.inFile[len(p.text)], 0); bare(whole.Quote) != bare(p.text) {
			t.Fatalf("all of the text is %q, want %q", whole.Quote, p.text)
		}
	})
}

// bare returns a text without white space.
func bare(s string) string { return strings.Join(strings.Fields(s), "") }

// TestWindowOutside returns the nearest text for a range that the document does not have.
func TestWindowOutside(t *testing.T) {
	t.Parallel()
	chunks := []neo4jstore.PlacedChunk{{Text: "Anna came.", Start: 3}}
	for _, r := range [][2]int{{0, 2}, {100, 200}, {-5, -1}, {9, 4}} {
		if w := WindowOf(chunks, r[0], r[1], 50); w.Quote != "" || w.Before+w.After != "Anna came." {
			t.Errorf("%v: %+v", r, w)
		}
	}
	if w := WindowOf(nil, 0, 10, 5); w.Before+w.Quote+w.After != "" {
		t.Errorf("no chunks: %+v", w)
	}
}
