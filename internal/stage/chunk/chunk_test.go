package chunk

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/internal/text/tokens"
)

func split(tb testing.TB, text string, o Options) []graph.Chunk {
	tb.Helper()
	chunks, err := Split("main", graph.Document{Key: "main/doc.txt", URI: "doc.txt", Text: text}, nil, o)
	if err != nil {
		tb.Fatalf("Split: %v", err)
	}
	return chunks
}

func texts(chunks []graph.Chunk) []string {
	out := make([]string, len(chunks))
	for i, c := range chunks {
		out[i] = c.Text
	}
	return out
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		o    Options
		want string // part of the error, "" for none
	}{
		{Options{}, ""},
		{Options{Size: 10}, ""},
		{Options{Size: 1}, ""},
		{Options{Size: 600, Overlap: new(599)}, ""},
		{Options{Overlap: new(-1)}, ""},
		{Options{Size: 600, Overlap: new(600)}, "lower --chunk-overlap or raise --chunk-size"},
		{Options{Size: -1}, "at least 1 token"},
		{Options{Boundary: "line"}, "use content or exact"},
		{Options{Encoding: "p50k"}, "o200k_base"},
	} {
		err := tc.o.Validate()
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v.Validate() = %v, want %q", tc.o, err, tc.want)
		}
	}
	if a, b := (Options{}).Fingerprint(), (Options{Size: 600, Overlap: new(100), Boundary: Content, Encoding: "o200k_base"}).Fingerprint(); a != b {
		t.Error("the zero value and the spelled out defaults have different fingerprints")
	}
	seen := map[string]bool{}
	for _, o := range []Options{{}, {Size: 500}, {Overlap: new(0)}, {Boundary: Exact}, {Encoding: "cl100k_base"}} {
		if f := o.Fingerprint(); seen[f] {
			t.Errorf("%+v has the same fingerprint as other options", o)
		} else {
			seen[f] = true
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	zero := new(0)
	for _, tc := range []struct {
		name, text string
		o          Options
		want       []string
	}{
		{"empty", "", Options{}, []string{}},
		{"white space", " \n\t\u00a0 ", Options{}, []string{}},
		{"short", "Marley was dead.\n", Options{}, []string{"Marley was dead.\n"}},
		{"special tokens are text", "a <|endoftext|> b", Options{}, []string{"a <|endoftext|> b"}},
		{
			"paragraph before sentence", "One two three four. Five six seven.\n\nEight nine. Ten eleven twelve thirteen.",
			Options{Size: 10, Overlap: zero},
			[]string{"One two three four. Five six seven.\n\n", "Eight nine. Ten eleven twelve thirteen."},
		},
		{
			"sentence before word", "Old Mr. Scrooge sat alone at his desk. Then came a ghost to see him there.",
			Options{Size: 11, Overlap: zero},
			[]string{"Old Mr. Scrooge sat alone at his desk. ", "Then came a ghost to see him there."},
		},
		{
			"overlap starts at a sentence", "one two three four five six seven. Eight nine. Ten eleven twelve thirteen fourteen",
			Options{Size: 12, Overlap: new(5)},
			[]string{"one two three four five six seven. Eight nine. ", "Eight nine. Ten eleven twelve thirteen fourteen"},
		},
		{
			"in a long sentence it starts at a word", "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
			Options{Size: 8, Overlap: new(2)},
			[]string{"one two three four five six seven ", "seven eight nine ten eleven twelve thirteen fourteen"},
		},
		{
			"a sentence is longer than the overlap", "one two three four five six seven eight nine ten. Eleven twelve thirteen fourteen fifteen",
			Options{Size: 12, Overlap: new(3)},
			[]string{"one two three four five six seven eight nine ten. ", "Eleven twelve thirteen fourteen fifteen"},
		},
		{
			"no space between sentences", "今日は天気がいいです。明日も晴れるでしょう。散歩に行きたいと思います。",
			Options{Size: 8, Overlap: zero},
			[]string{"今日は天気がいいです。", "明日も晴れるでしょう。", "散歩に行きたいと思います。"},
		},
		{
			"exact", "one two three four five six seven",
			Options{Size: 3, Overlap: new(1), Boundary: Exact},
			[]string{"one two three", " three four five", " five six seven"},
		},
		{
			"exact moves to the next rune", "👩‍🚀a👩‍🚀",
			Options{Size: 1, Overlap: zero, Boundary: Exact},
			[]string{"👩", "\u200d", "🚀", "a", "👩", "\u200d", "🚀"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, texts(split(t, tc.text, tc.o))); diff != "" {
				t.Errorf("Split(%q) (-want +got):\n%s", tc.text, diff)
			}
		})
	}
}

func TestEqualWindowsHaveDistinctKeys(t *testing.T) {
	t.Parallel()
	chunks := split(t, strings.Repeat("the same words again and again here now. ", 60), Options{Size: 18, Overlap: new(0)})
	seen, keys := map[string]int{}, map[string]bool{}
	for i, c := range chunks {
		if want := graph.ChunkKey("main", "main/doc.txt", c.Text, seen[c.Text]); c.Key != want || keys[c.Key] {
			t.Errorf("chunk %d has key %s, want %s and no duplicate", i, c.Key, want)
		}
		if c.Index != i || c.Document != "main/doc.txt" {
			t.Errorf("chunk %d = %+v", i, c)
		}
		seen[c.Text]++
		keys[c.Key] = true
	}
	if len(seen) == len(chunks) {
		t.Error("no two windows are equal, so this test checks nothing")
	}
}

func TestLongWordsThatFitStayWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x1", 35) // 70 tokens
	for _, before := range []int{0, 10, 45, 75, 90, 110} {
		text := strings.Repeat("word ", before) + long + strings.Repeat(" more", 100)
		chunks := split(t, text, Options{Size: 100, Overlap: new(40)})
		if !strings.Contains(strings.Join(texts(chunks), "\x00"), long) {
			t.Errorf("a word of 70 tokens after %d is cut into windows of 100: %q", before, texts(chunks))
		}
	}
}

func TestLongRunsAreFast(t *testing.T) {
	for _, r := range []string{"a", " ", ".", "長", "\n", "。", "\u0301", "a ", "\""} {
		text := "x" + strings.Repeat(r, 100_000) + "x"
		for _, b := range []Boundary{Content, Exact} {
			split(t, "load", Options{})
			start := time.Now()
			chunks := split(t, text, Options{Boundary: b})
			if took := time.Since(start); took > 15*time.Second*raceFactor {
				t.Errorf("%s: 100,000 of %q took %v, want under 15 s", b, r, took)
			}
			if len(chunks) == 0 {
				t.Errorf("%s: 100,000 of %q give no chunks", b, r)
			}
		}
	}
}

// prose draws texts with every kind of boundary, long words and invalid UTF-8.
var prose = rapid.Custom(func(t *rapid.T) string {
	parts := []string{
		" ", " ", " ", "\n", "\n\n", "\n \n", "   ", "Scrooge", "was", "dead", ".", ". ", "! ", "?” ", "Mr. ", "e.g. ", "- item",
		"今日", "。", "」", "ค่ะ", "👩‍👩‍👧", "e\u0301", "\u0301", "\xff", "\xf0\x9f", "Name: ", "…", strings.Repeat("z", 90), strings.Repeat(" ", 300),
	}
	n := rapid.IntRange(0, 400).Draw(t, "length")
	return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(parts), rapid.StringN(0, 3, -1)), n, n).Draw(t, "parts"), "")
})

func TestInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := prose.Draw(rt, "text")
		size := rapid.IntRange(10, 60).Draw(rt, "size")
		o := Options{
			Size: size, Overlap: new(rapid.IntRange(0, size-1).Draw(rt, "overlap")),
			Boundary: rapid.SampledFrom([]Boundary{Content, Exact}).Draw(rt, "boundary"),
			Encoding: rapid.SampledFrom(tokens.Names()).Draw(rt, "encoding"),
		}
		chunks := split(t, text, o)
		if diff := cmp.Diff(chunks, split(t, text, o)); diff != "" {
			rt.Fatalf("two calls of Split differ (-first +second):\n%s", diff)
		}
		limit := size
		if o.Boundary == Content {
			limit = size + size/5
		}
		end := 0
		for i, c := range chunks {
			if c.Text != text[c.Start:c.End] || c.Index != i {
				rt.Fatalf("chunk %d is not text[%d:%d]", i, c.Start, c.End)
			}
			if utf8.ValidString(text) && !utf8.ValidString(c.Text) {
				rt.Fatalf("chunk %d cuts a rune: %q", i, c.Text)
			}
			if c.NTokens < 1 || c.NTokens > limit {
				rt.Fatalf("chunk %d has %d tokens, want 1 to %d", i, c.NTokens, limit)
			}
			if c.End <= end {
				rt.Fatalf("chunk %d ends at %d, the previous one at %d", i, c.End, end)
			}
			if c.Start > end && strings.TrimSpace(text[end:c.Start]) != "" {
				rt.Fatalf("chunk %d leaves out %q", i, text[end:c.Start])
			}
			end = c.End
		}
		if strings.TrimSpace(text[end:]) != "" {
			rt.Fatalf("the end is left out: %q", text[end:])
		}
	})
}

func TestOverlapIsBounded(t *testing.T) {
	t.Parallel()
	text := novel(t, 40_000, 1)
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	starts := map[int]bool{}
	for _, s := range textproc.Sentences(text) {
		starts[s.Start] = true
	}
	chunks := split(t, text, Options{})
	total := 0
	for i, c := range chunks {
		total += c.NTokens
		if i+1 < len(chunks) && (c.NTokens < 480 || c.NTokens > 720) {
			t.Errorf("chunk %d has %d tokens, want 480 to 720", i, c.NTokens)
		}
		if got := counter.Count(c.Text); got < c.NTokens-2 || got > c.NTokens+2 {
			t.Errorf("chunk %d has NTokens %d, but its text counts %d", i, c.NTokens, got)
		}
		if i == 0 {
			continue
		}
		shared := text[c.Start:chunks[i-1].End]
		if n := counter.Count(shared); n > 101 {
			t.Errorf("chunks %d and %d share %d tokens, want up to 100", i-1, i, n)
		}
		if !starts[c.Start] {
			t.Errorf("chunk %d starts inside a sentence: %q", i, text[c.Start-20:c.Start+20])
		}
		if end := chunks[i-1].End; !starts[end] {
			t.Errorf("chunk %d ends inside a sentence: %q", i-1, text[end-20:end+20])
		}
	}
	if mean := total / len(chunks); mean < 550 || mean > 650 {
		t.Errorf("the mean window has %d tokens, want about 600", mean)
	}
}

var sentenceEnd = regexp.MustCompile(`[.!?]\s+`)

// novel returns a text of about size bytes made of shuffled sentences of a real novel.
func novel(tb testing.TB, size int, seed uint64) string {
	tb.Helper()
	var sentences []string
	paths, err := filepath.Glob(filepath.Join(testcorpora.Dir(tb), "christmas-carol/docs/*.txt"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no staves: %v", err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		rest := strings.ReplaceAll(string(raw), "\r\n", "\n")
		for rest != "" {
			at := len(rest)
			if m := sentenceEnd.FindStringIndex(rest); m != nil {
				at = m[1]
			}
			sentences = append(sentences, rest[:at])
			rest = rest[at:]
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(sentences[random.IntN(len(sentences))])
	}
	return b.String()
}

// TestEditChangesFewChunks inserts one sentence into a text of 300 chunks. In 95 of
// 100 trials at most 10 chunks may change: each of them costs calls of a model.
func TestEditChangesFewChunks(t *testing.T) {
	t.Parallel()
	const trials = 100
	o := Options{Size: 240} // behaves like 600 and takes less time
	text := novel(t, 300*200*4+12_000, 7)
	old := split(t, text, o)
	if len(old) < 270 || len(old) > 340 {
		t.Fatalf("the text has %d chunks, want about 300", len(old))
	}
	known := map[string]bool{}
	for _, c := range old {
		known[c.Key] = true
	}
	random, good, worst := rand.New(rand.NewPCG(11, 0)), 0, 0
	ends := sentenceEnd.FindAllStringIndex(text, -1)
	for range trials {
		at := ends[random.IntN(len(ends))][1]
		changed := 0
		for _, c := range split(t, text[:at]+"A sentence that nobody wrote before stands here now. "+text[at:], o) {
			if !known[c.Key] {
				changed++
			}
		}
		if changed <= 10 {
			good++
		}
		worst = max(worst, changed)
	}
	t.Logf("%d of %d trials changed at most 10 of %d chunks, the worst %d", good, trials, len(old), worst)
	if good < 95 {
		t.Errorf("%d of %d trials changed at most 10 chunks, want 95", good, trials)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("Marley was dead: to begin with. There is no doubt whatever about that.", 10, 3, false)
	f.Add("長\xff 👩‍👩‍👧\n\n- x", 1, 0, true)
	f.Fuzz(func(t *testing.T, text string, size, overlap int, exact bool) {
		o := Options{Size: size, Overlap: &overlap}
		if exact {
			o.Boundary = Exact
		}
		if o.Validate() != nil {
			t.Skip()
		}
		end := 0
		for i, c := range split(t, text, o) {
			if c.End <= end || c.Text != text[c.Start:c.End] || strings.TrimSpace(text[min(end, c.Start):c.Start]) != "" && c.Start > end {
				t.Fatalf("chunk %d is [%d:%d] after %d", i, c.Start, c.End, end)
			}
			end = c.End
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	doc := graph.Document{Key: "main/novel.txt", Text: novel(b, 1_000_000, 3)}
	for _, boundary := range []Boundary{Content, Exact} {
		b.Run(string(boundary), func(b *testing.B) {
			b.SetBytes(int64(len(doc.Text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Split("main", doc, nil, Options{Boundary: boundary}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestEqualDocumentsHaveDistinctChunks splits two documents with the same text:
// their chunks have different keys.
func TestEqualDocumentsHaveDistinctChunks(t *testing.T) {
	t.Parallel()
	keys := map[string]string{}
	for _, uri := range []string{"one.txt", "two.txt"} {
		chunks, err := Split("main", graph.Document{Key: graph.DocumentKey("main", uri), URI: uri, Text: strings.Repeat("The harbour burned. ", 40)}, nil, Options{Size: 50})
		if err != nil || len(chunks) < 2 {
			t.Fatalf("%d chunks, %v", len(chunks), err)
		}
		for _, c := range chunks {
			if other := keys[c.Key]; other != "" {
				t.Errorf("a chunk of %s has the same key as one of %s", uri, other)
			}
			keys[c.Key] = uri
		}
	}
}
