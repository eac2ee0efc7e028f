package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

func TestTitleDateAndMetadata(t *testing.T) {
	t.Parallel()
	type meta = map[string]string
	for _, tc := range []struct {
		file, raw string
		want      graph.Document
	}{
		{"notes.txt", "# no heading here", graph.Document{Title: "notes", Text: "# no heading here"}},
		{"20260105_1100.txt", "Hi", graph.Document{Title: "20260105_1100", Text: "Hi", Date: "2026-01-05T11:00"}},
		{"a.txt", "Time: 20260105_11:00\nHi", graph.Document{Title: "a", Text: "Time: 20260105_11:00\nHi", Date: "2026-01-05T11:00"}},
		{"20260105.txt", "Time: 20260105_11:00\n", graph.Document{Title: "20260105", Text: "Time: 20260105_11:00\n", Date: "2026-01-05T11:00"}},
		{"20260105b.txt", "Time: 20260106_11:00\n", graph.Document{Title: "20260105b", Text: "Time: 20260106_11:00\n", Date: "2026-01-05"}},
		{"log-2026-02-30.txt", "\n time: 2026-03-01\n", graph.Document{Title: "log-2026-02-30", Text: "\n time: 2026-03-01\n", Date: "2026-03-01"}},
		{
			"2020-01-01.md", "---\ntitle: A  \"Carol\"\ndate: 1843-12-19T08:00:00Z\ntags: [ghosts, london]\nauthor: {name: Dickens}\nn: 1.10\n---\n# Stave\n",
			graph.Document{Title: `A "Carol"`, Text: "# Stave\n", Date: "1843-12-19T08:00", Metadata: meta{
				"title": `A  "Carol"`, "date": "1843-12-19T08:00:00Z", "tags": "ghosts, london", "author.name": "Dickens", "n": "1.10",
			}},
		},
		{"c.md", "---\ndate: someday\n---\nx", graph.Document{Title: "c", Text: "x", Metadata: meta{"date": "someday"}}},
		{"d.md", "```\n# code\n```\n\n# The *Title* #\n# Other", graph.Document{Title: "The *Title*", Text: "```\n# code\n```\n\n# The *Title* #\n# Other"}},
		{"d2.md", "# **Bold** ##", graph.Document{Title: "Bold", Text: "# **Bold** ##"}},
		{"e.md", "---\n\nA rule, no fields\n\n---\n", graph.Document{Title: "e", Text: "---\n\nA rule, no fields\n\n---\n"}},
		{"f.md", "---\na: &a [x, x]\nb: *a\nc: [*a, *a]\n---\nx", graph.Document{Title: "f", Text: "x", Metadata: meta{"a": "x, x"}}},
		{
			"h.md", "+++\n# Hugo\ntitle = 'A \"b\"' # note\ndate = 2023-11-02T10:00:00Z\ntags = [\"x\", 'z']\n[params]\n  author = \"Jonas \\u0048all\"\n+++\nText",
			graph.Document{Title: `A "b"`, Text: "Text", Date: "2023-11-02T10:00", Metadata: meta{
				"title": `A "b"`, "date": "2023-11-02T10:00:00Z", "tags": "x, z", "params.author": "Jonas Hall",
			}},
		},
		{"i.md", "+++\nno fields\n+++\n", graph.Document{Title: "i", Text: "+++\nno fields\n+++\n"}},
		{"g.md", "---\ntitle: never closed\n", graph.Document{Title: "g", Text: "---\ntitle: never closed\n"}},
	} {
		got, err := read(t, tc.file, tc.raw)
		if err != nil {
			t.Errorf("%s: %v", tc.file, err)
			continue
		}
		got = graph.Document{Title: got.Title, Text: got.Text, Date: got.Date, Metadata: got.Metadata}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.file, diff)
		}
	}
}
