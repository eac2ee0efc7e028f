package cite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestPlaceIn(t *testing.T) {
	t.Parallel()
	const text = "one\ntwo\nthree\n"
	chunk := neo4jstore.PlacedChunk{Text: text, Start: 100}
	for _, tc := range []struct {
		name       string
		place      graph.ChunkPlace
		row        int
		want       Place
		start, end int
		shown      string
	}{
		{"converted", graph.ChunkPlace{Pages: []int{3, 5}, PageStarts: []int{0, 4}}, 0, Place{Page: 5, Converted: true}, 104, 107, "page 5, bytes 104 to 107 of its text"},
		{"as in the file", graph.ChunkPlace{Line: 8, FileStart: 120, FileEnd: 134}, 0, Place{Line: 9}, 124, 127, "line 9, bytes 124 to 127"},
		{"line ends of two bytes", graph.ChunkPlace{Line: 8, FileStart: 107, FileEnd: 124}, 0, Place{Line: 9}, 112, 115, "line 9, bytes 112 to 115"},
		{"line ends of both kinds", graph.ChunkPlace{Line: 8, FileStart: 107, FileEnd: 122}, 0, Place{Line: 9, Converted: true}, 104, 107, "line 9, bytes 104 to 107 of its text"},
		{"below a heading", graph.ChunkPlace{FileEnd: 14, Headings: []string{"A", "A > B", "C"}, HeadingStarts: []int{0, 4, 8}}, 0, Place{Heading: "A > B"}, 4, 7, `"A > B", bytes 4 to 7`},
		{"before all headings", graph.ChunkPlace{FileEnd: 14, Headings: []string{"C"}, HeadingStarts: []int{8}}, 0, Place{}, 4, 7, "bytes 4 to 7"},
		{"row", graph.ChunkPlace{Line: 12}, 7, Place{Row: 7, Line: 12, Converted: true}, 104, 107, "row 7, line 12, bytes 104 to 107 of its text"},
	} {
		chunk.ChunkPlace, chunk.Row = tc.place, tc.row
		got, start, end := placeIn(chunk, 104, 107)
		if diff := cmp.Diff(tc.want, got); diff != "" || start != tc.start || end != tc.end {
			t.Errorf("%s: %d to %d (-want +got):\n%s", tc.name, start, end, diff)
		}
		if shown := got.Describe(start, end); shown != tc.shown {
			t.Errorf("%s: %s, want %s", tc.name, shown, tc.shown)
		}
		if c := (Citation{Quote: "two", Start: start, End: end}); !c.IsIn(chunk) {
			t.Errorf("%s: the quote is not found", tc.name)
		}
		if c := (Citation{Quote: "two", Start: start + 1, End: end + 1}); c.IsIn(chunk) {
			t.Errorf("%s: the quote is found at another place", tc.name)
		}
	}
	if got, start, end := placeIn(chunk, 90, 104); got != (Place{}) || start != 90 || end != 104 {
		t.Errorf("outside of the chunk: %+v, %d to %d", got, start, end)
	}
}

// The bytes of a range of a text are those of the file, whatever its line ends are.
func TestPlaceOfLineEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-zé ]{0,8}`), 1, 6).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		text, file := strings.Join(lines, "\n"), strings.Join(lines, end)
		if text == "" {
			return
		}
		offset := rapid.IntRange(0, 9).Draw(t, "offset")
		chunk := neo4jstore.PlacedChunk{Text: text, ChunkPlace: graph.ChunkPlace{Line: 1, FileStart: offset, FileEnd: offset + len(file)}}
		start := rapid.IntRange(0, len(text)-1).Draw(t, "start")
		stop := rapid.IntRange(start+1, len(text)).Draw(t, "end")
		place, from, to := placeIn(chunk, start, stop)
		if got := strings.ReplaceAll(file[from-offset:to-offset], "\r", ""); got != text[start:stop] || place.Converted || place.Line != 1+strings.Count(text[:start], "\n") {
			t.Fatalf("bytes %d to %d of %q are %q at %+v, want %q", start, stop, text, got, place, text[start:stop])
		}
	})
}
