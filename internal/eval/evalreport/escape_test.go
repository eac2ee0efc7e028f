package evalreport_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/ui/markdown"
)

// anyText is text with what ends cells, rows and elements.
var anyText = rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("|\\`*_[]()<>&\"'!~-\n\r\x1b a1"))),
	rapid.SampledFrom([]string{"<script>alert(1)</script>", "![x](http://a/b)", "</td></table>", "| a |", "\\|", "<img src=x onerror=y>", "{{.}}"}))

// TestAnyTextStaysInItsCell expects that texts of records change neither the shape of a table in
// Markdown nor that in HTML.
func TestAnyTextStaysInItsCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(anyText, 3, 3).Draw(t, "texts")
		table := evalreport.Table{
			Title: texts[0], Head: []string{"one", texts[1]}, Text: 1, Notes: []string{"A note."},
			Rows: [][]evalreport.Cell{{{Text: texts[2], Bold: true}, {Text: "-1"}}, {{Text: "last"}, {Text: "1"}}},
		}
		var page bytes.Buffer
		if err := (evalreport.Report{}).WriteHTML(&page, []evalreport.Table{table}); err != nil {
			t.Fatal(err)
		}
		for format, body := range map[string]string{"Markdown": markdown.HTML(table.Markdown(), 0, nil), "HTML": page.String()} {
			checkShape(t, format, body)
		}
	})
}

func checkShape(t *rapid.T, format, body string) {
	document, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for n := range document.Descendants() {
		if n.Type == html.ElementNode {
			count[n.Data]++
		}
	}
	if count["table"] != 1 || count["tr"] != 3 || count["th"]+count["td"] != 6 || count["h2"] != 1 || count["p"] != 1 {
		t.Errorf("%s: %v in\n%s", format, count, body)
	}
	for _, name := range []string{"script", "img", "a", "iframe"} {
		if count[name] > 0 {
			t.Errorf("%s: <%s> in\n%s", format, name, body)
		}
	}
}
