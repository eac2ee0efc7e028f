package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/markup"
	"github.com/neorag/neorag/internal/source/parse"
)

func TestTextPlaces(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, file, content string
		want                graph.Places
	}{
		{"text", "a.txt", "one\ntwo", graph.Places{Line: 1, Verbatim: true}},
		{"byte order mark", "a.txt", "\ufeffone", graph.Places{Line: 1, Verbatim: true, Offset: 3}},
		{"front matter", "a.txt", "---\ntitle: T\n---\none", graph.Places{Line: 4, Verbatim: true, Offset: 17}},
		{"line ends of two bytes", "a.txt", "\ufeff---\r\ntitle: T\r\n---\r\none\r\ntwo\r\n", graph.Places{Line: 4, Verbatim: true, Offset: 23, Breaks: []int{3, 7}}},
		{"line ends of all kinds", "a.txt", "one\rtwo\nthree\r\n\r", graph.Places{Line: 1, Verbatim: true, Breaks: []int{13}}},
		{"another encoding", "a.txt", "caf\xe9 noir, cr\xe8me br\xfbl\xe9e\n", graph.Places{Line: 1}},
		{"two bytes a character", "a.txt", "\xff\xfea\x00b\x00", graph.Places{Line: 1}},
		{"a NUL that is left out", "a.txt", strings.Repeat("word ", 2000) + "\x00 end", graph.Places{Line: 1}},
		{"HTML", "a.html", "<p>one</p>", graph.Places{}},
	} {
		doc, err := read(t, tc.file, tc.content)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		} else if diff := cmp.Diff(tc.want, doc.Places, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// Each byte of a text is in the file where its places say.
func TestTextPlacesOfAnyFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", "\n", "\r\n", "\r", "---\n", "k: v\n", " "})).Draw(t, "pieces")
		raw := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark") + strings.Join(pieces, "")
		doc, _, err := markup.Read(nil)(t.Context(), []byte(raw), graph.Document{}, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at, breaks := doc.Places.Offset, doc.Places.Breaks
		for i := range len(doc.Text) {
			want := doc.Text[i]
			if len(breaks) > 0 && breaks[0] == i {
				if raw[at:at+2] != "\r\n" {
					t.Fatalf("byte %d of %q is byte %d of the file %q", i, doc.Text, at, raw)
				}
				at, breaks = at+2, breaks[1:]
				continue
			}
			if got := raw[at]; got != want && (got != '\r' || want != '\n') {
				t.Fatalf("byte %d of %q is byte %d of the file %q", i, doc.Text, at, raw)
			}
			at++
		}
		front := raw[:doc.Places.Offset]
		if line := 1 + strings.Count(decode.Clean(front), "\n"); doc.Places.Line != line || at != len(raw) || len(breaks) > 0 {
			t.Fatalf("line %d, want %d; %d of %d bytes", doc.Places.Line, line, at, len(raw))
		}
	})
}

func TestSections(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, content, title, want string }{
		{"Markdown", "a.md", "intro\n\n# One #\n\n```sh\n# no\n```\n## *Two*\ntext\n# Three\n", "One", "One|One > Two|Three"},
		{"Markdown, underlined", "a.md", "One\n===\ntext\n\nTwo\n---\nmore\nlines\n---\n- item\n---\n", "One", "One|One > Two"},
		{"Markdown, levels left out", "a.md", "### A\n# B\n### C\n## D\n#no\n    # code\n", "B", "A|B|B > C|B > D"},
		{"Markdown, headings of several lines", "a.md", "One\ntwo\n===\ntext\nmore\n---\n", "One two", "One two"},
		{"Markdown, code in a line", "a.md", "# One\n```npm test```\n# Two\n~~~ a`b\n# no\n~~~\n#\tThree\n", "One", "One|Two|Three"},
		{"Markdown, blocks of HTML", "a.md", "<!-- # no\n# no\n-->\n# One\n<pre class=x>\n# no\n</pre>\n# Two\n<!-- a --> b\n# Three\n<style>\n# Four\n<prefix>\n# Five\n", "One", "One|Two|Three|Four|Five"},
		{"notebook", "a.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"```\\n# no\\n\"}, {\"cell_type\": \"markdown\", \"source\": \"# One\"}]}", "One", "One"},
		{"reStructuredText", "a.rst", "=====\nGuide\n=====\n\nInstall\n-------\ntext\n\n  code\n  ====\n\ntwo\nlines\n=====\n\nUse it\n------\nShort\n--\n\nDeep\n~~~~\n", "Guide", "Guide|Guide > Install|Guide > Use it|Guide > Use it > Deep"},
		{"reStructuredText, a short line below", "a.rst", "Long title\n~~~~\n\nText\n..\n\nNext\n~~~~\n", "Long title", "Long title|Next"},
		{"AsciiDoc, lines below and other marks", "a.adoc", "Guide\n=====\n\nInstall\n--------\ntext\n\n[[deep]]\nDeep\n~~~~~\n\n----\nno\n--\n----\n\n## Use\n\n[source,sh]\n# no\n\n```\n== no\n```\n== \u2003\n= \n", "Guide", "Guide|Guide > Install|Guide > Install > Deep|Guide > Use"},
		{"AsciiDoc", "a.adoc", "= Guide\n\n== Install ==\ntext\n----\n== no\n----\n=== Deep\n== Use\n", "Guide", "Guide|Guide > Install|Guide > Install > Deep|Guide > Use"},
		{"Org", "a.org", "#+TITLE: Guide\n* TODO Install :tag:\ntext *bold*\n** Deep\n#+begin_src c\n* no\n#+end_src\n* Use\n", "Guide", "Guide|Guide > Install|Guide > Install > Deep|Guide > Use"},
		{"HTML", "a.html", "<h1>One</h1><p>t</p><h2>Two</h2><p>t</p>", "One", "One|One > Two"},
		{"source code", "a.py", "# a comment\nx = 1\n", "a", ""},
		{"front matter", "a.md", "---\ntitle: T\n---\n# One\n", "T", "One"},
	} {
		doc, err := read(t, tc.file, tc.content)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		var paths []string
		for _, s := range doc.Places.Sections {
			paths = append(paths, s.Path)
			last := s.Path[strings.LastIndex(s.Path, ">")+1:]
			if line, _, _ := strings.Cut(doc.Text[s.Start:], "\n"); !strings.Contains(line, strings.TrimSpace(last)) && !strings.HasPrefix(strings.TrimSpace(last), line) {
				t.Errorf("%s: %q begins at %q", tc.name, s.Path, line)
			}
		}
		if got := strings.Join(paths, "|"); got != tc.want || doc.Title != tc.title {
			t.Errorf("%s: title %q, sections %q, want %q and %q", tc.name, doc.Title, got, tc.title, tc.want)
		}
	}
}

// Headings are in order, whatever the text is.
func FuzzHeadings(f *testing.F) {
	f.Add("# A\n\nB\n---\n= C\n* D\n#+title: E\nF\n===\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range formats {
			if kind.headings == nil {
				continue
			}
			last := -1
			for _, h := range kind.headings(text) {
				if h.Start <= last || h.Title == "" || strings.Contains(h.Title, "\n") || h.Start >= len(text) {
					t.Errorf("%s: heading %+v after %d", kind.mime, h, last)
				}
				last = h.Start
			}
			parse.Sections(kind.headings(text))
		}
	})
}

func TestRecordPlaces(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ content, want string }{
		"a.csv":   {"sep=;\nid;text\n\n1;one\n2;\"two\nlines\"\n3;bad;bad\n4;four\n", "1 3 4, 2 4 5, 4 6 8"},
		"a.tsv":   {"id\ttext\n1\tone\n\n2\ttwo\n", "1 2 2, 2 4 4"},
		"a.json":  {"[\n{\"id\": 1, \"text\": \"one\"},\n3,\n{\"id\": 2,\n\"text\": \"two\"}]", "1 1 2, 2 3 4"},
		"b.json":  {"{\"n\": 1, \"data\": [{\"id\": 1, \"text\": \"one\"}, {\"id\": 2, \"text\": \"two\"}]}", "1 1 1, 2 2 1"},
		"a.jsonl": {"{\"id\": 1, \"text\": \"one\"}\n\n{\"id\": 2, \"text\": \"two\"}\n", "1 1 1, 2 3 3"},
	} {
		docs, _, err := readAll(t, name, tc.content, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, d := range docs {
			got = append(got, placeText(d))
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: id, row, line (-want +got):\n%s", name, diff)
		}
	}
}

// placeText returns the id, row and line of the document of a record.
func placeText(d graph.Document) string {
	_, id, _ := strings.Cut(d.URI, "#")
	return fmt.Sprint(id, " ", d.Places.Row, " ", d.Places.Line)
}
