package chunk

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
)

// The file of a document has the text of each chunk at the bytes, and on the line, of its place.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`(# )?[a-z]{1,5}( [a-z]{1,5}){0,6}\.?`), 1, 30).Draw(t, "lines")
		ends := rapid.SliceOfN(rapid.SampledFrom([]string{"\n", "\r\n"}), len(lines), len(lines)).Draw(t, "line ends")
		front := rapid.SampledFrom([]string{"", "---\nk: v\n---\n"}).Draw(t, "front matter")
		var file strings.Builder
		file.WriteString(front)
		doc := graph.Document{Key: "c/d", URI: "d", Places: graph.Places{Line: 1 + strings.Count(front, "\n"), Verbatim: true, Offset: len(front)}}
		for i, line := range lines {
			at := len(doc.Text)
			if strings.HasPrefix(line, "# ") {
				doc.Places.Sections = append(doc.Places.Sections, graph.Section{Path: line[2:], Start: at})
			}
			if i%7 == 3 {
				doc.Places.Pages = append(doc.Places.Pages, graph.Page{Number: 1 + i, Start: at})
			}
			doc.Text += line + "\n"
			if ends[i] == "\r\n" {
				doc.Places.Breaks = append(doc.Places.Breaks, len(doc.Text)-1)
			}
			file.WriteString(line + ends[i])
		}
		chunks, err := Split("c", doc, nil, Options{Size: rapid.IntRange(1, 40).Draw(t, "size")})
		if err != nil {
			t.Fatal(err)
		}
		raw := file.String()
		for _, c := range chunks {
			p := c.Place
			if got := strings.ReplaceAll(raw[p.FileStart:p.FileEnd], "\r\n", "\n"); got != c.Text || p.Line != 1+strings.Count(raw[:p.FileStart], "\n") {
				t.Fatalf("chunk %q is %q, line %d", c.Text, got, p.Line)
			}
			heading, page := "", 0
			for at := range len(c.Text) {
				for _, s := range doc.Places.Sections {
					if s.Start <= c.Start+at {
						heading = s.Path
					}
				}
				for _, s := range doc.Places.Pages {
					if s.Start <= c.Start+at {
						page = s.Number
					}
				}
				if got := lastOf(p.Headings, p.HeadingStarts, at); got != heading {
					t.Fatalf("byte %d of %q is below %q, want %q", at, c.Text, got, heading)
				}
				if got := lastOf(p.Pages, p.PageStarts, at); got != page {
					t.Fatalf("byte %d of %q is on page %d, want %d", at, c.Text, got, page)
				}
			}
			if !slices.IsSorted(p.PageStarts) || !slices.IsSorted(p.HeadingStarts) || len(p.Pages) != len(p.PageStarts) || len(p.Headings) != len(p.HeadingStarts) {
				t.Fatalf("%+v is not sorted", p)
			}
		}
	})
}

func lastOf[T any](all []T, starts []int, at int) (value T) {
	for i := range all {
		if starts[i] <= at {
			value = all[i]
		}
	}
	return value
}
