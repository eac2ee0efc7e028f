package source

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// read is the document of one file with that content.
func read(tb testing.TB, name, content string) (graph.Document, error) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
	docs, _, err := Read(context.Background(), list(tb, Options{}, path).Files[0], Options{})
	if err != nil {
		return graph.Document{}, err
	}
	if len(docs) != 1 {
		tb.Fatalf("%s: %d documents, want 1", name, len(docs))
	}
	return docs[0], nil
}

func TestReadIsTheSameTwice(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a.txt": "Time: 20260105_11:00\r\nHello", "b.html": "<p>Hi", "c.md": "---\nx: [1, 2]\n---\n# T\n"})
	l := list(t, Options{}, root)
	for _, f := range l.Files {
		first, _, err := Read(context.Background(), f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		second, _, err := Read(context.Background(), f, Options{})
		if diff := cmp.Diff(first, second); err != nil || diff != "" {
			t.Errorf("%s read twice: %v (-first +second):\n%s", f.URI, err, diff)
		}
		if sum, err := Hash(context.Background(), f, Options{}); err != nil || sum != first[0].SHA256 || len(sum) != 64 {
			t.Errorf("Hash(%s) = %s, %v, want %s", f.URI, sum, err, first[0].SHA256)
		}
		if first[0].Root != root || first[0].Key != "" || first[0].MIME == "" {
			t.Errorf("%s = %+v", f.URI, first[0])
		}
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, raw, want string }{
		{"utf-8", "a.txt", "Zoë — 長", "Zoë — 長"},
		{"byte order mark", "a.txt", "\xef\xbb\xbfZoë", "Zoë"},
		{"windows-1252", "a.txt", "caf\xe9 \x93x\x94", "café “x”"},
		{"damaged utf-8", "a.txt", "Zoë é ü \xff", "Zoë é ü \ufffd"},
		{"cut utf-8", "a.txt", "Zoë 長\xe9\x95", "Zoë 長\ufffd"},
		{"utf-16 le", "a.txt", "\xff\xfeZ\x00o\x00\xeb\x00", "Zoë"},
		{"utf-16 be", "a.txt", "\xfe\xff\x00Z\x00o\x00\xeb", "Zoë"},
		{"utf-16 le without mark", "a.txt", "Z\x00o\x00\xeb\x00\n\x00", "Zoë\n"},
		{"utf-16 be without mark", "a.txt", "\x00Z\x00o\x00\xeb\x00\n", "Zoë\n"},
		{"line ends", "a.txt", "a\r\nb\rc\n", "a\nb\nc\n"},
		{"a late NUL", "a.txt", strings.Repeat("text ", 2000) + "\x00.", strings.Repeat("text ", 2000) + "."},
		{"html meta", "a.html", "<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"},
		{"html shift jis", "a.html", "<meta charset=shift_jis><p>\x93\xfa\x96{", "日本"},
		{"html that lies", "a.html", "<meta charset=iso-8859-1><p>Zoë", "Zoë"},
		{"html without meta", "a.html", "<p>caf\xe9", "café"},
		{"unknown extension", "notes", "plain", "plain"},
	} {
		doc, err := read(t, tc.file, tc.raw)
		if err != nil || doc.Text != tc.want {
			t.Errorf("%s: text is %q, %v, want %q", tc.name, doc.Text, err, tc.want)
		}
	}
	for file, raw := range map[string]string{"a.txt": "PK\x03\x04\x00\x00", "prog": "\x7fELF\x02\x01\x01\x00", "b.md": "\xff\xfea\x00\x00\x00"} {
		if _, err := read(t, file, raw); err == nil || err.Error() != "read "+file+": binary data, not text" {
			t.Errorf("%s of %q = %v, want binary data", file, raw, err)
		}
	}
}

func TestTitleDateMetadata(t *testing.T) {
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
		{"f.md", "---\na: &a [x, x]\nb: *a\nc: [*a, *a]\n---\n", graph.Document{Title: "f", Metadata: meta{"a": "x, x"}}},
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

func TestDates(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"20260105": "2026-01-05", "20260105_1100": "2026-01-05T11:00", "2026-01-05_1100": "2026-01-05T11:00", "report 2026-01-05 final": "2026-01-05",
		"20260105_9999": "2026-01-05", "20260105_110059": "2026-01-05T11:00", "20261305": "", "20260229": "", "20240229": "2024-02-29",
		"2026-0105": "", "120260105": "", "99991231": "", "12345678-20260105": "2026-01-05", "5000-20260105-7": "2026-01-05", "IMG_20260105": "2026-01-05", "2026": "",
	} {
		if got := dateInName(in); got != want {
			t.Errorf("dateInName(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"2026-01-05": "2026-01-05", "2026-01-05 9:30": "2026-01-05T09:30", "2026-01-05T11:00:00+02:00": "2026-01-05T11:00", "20260105_11:00": "2026-01-05T11:00",
		"5 January 2026": "2026-01-05", "Jan 5, 2026": "2026-01-05", "2026/01/05 11:00": "2026-01-05T11:00", "Mon, 5 Jan 2026 11:00:00 GMT": "2026-01-05T11:00",
		"5.1.2026": "2026-01-05", "2026-01": "2026-01", "1843": "1843", "2026-02-30": "", "yesterday": "", "": "", "0001": "",
	} {
		if got := parseDate(in); got != want {
			t.Errorf("parseDate(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHTML(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><html><head><title> A
 page &amp; more</title><style>p{}</style></head><body><script>var x</script>
<h1>Head</h1><p>One <a href="https://example.com/long">link</a>_and*text* 1 &lt; 2. <img src="data:x" alt="a picture"><svg><title>no</title><text>no</text></svg></p>
<ul><li>first<li>second</ul><table><tr><th>k<th>v<tr><td colspan=99999999>a<td>b</table><button>no</button></body></html>`
	doc, err := read(t, "p.html", page)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Head\n\nOne link_and*text* 1 < 2. a picture\n\n- first\n- second\n\n| k | v |\n|---|---|\n| a | b |"
	if doc.Title != "A page & more" || doc.MIME != "text/html" || doc.Text != want {
		t.Errorf("title %q, MIME %s, text (-want +got):\n%s", doc.Title, doc.MIME, cmp.Diff(want, doc.Text))
	}
}

func TestLayoutTablesAreNoTables(t *testing.T) {
	t.Parallel()
	doc, err := read(t, "a.html", "<table><tr><td>menu<td><table><tr><th>k<th>v<tr><td>a<td>b</table></table>")
	if want := "menu\n\n| k | v |\n|---|---|\n| a | b |"; err != nil || doc.Text != want {
		t.Errorf("text is %q, %v, want %q", doc.Text, err, want)
	}
}

func TestDeepHTML(t *testing.T) {
	t.Parallel()
	if _, err := read(t, "deep.html", strings.Repeat("<div>", 1_000_000)); err == nil || !strings.Contains(err.Error(), "read deep.html: parse HTML") {
		t.Errorf("a page a million elements deep = %v, want an error that names it", err)
	}
	doc, err := read(t, "ragged.html", "<table><tr>"+strings.Repeat("<td>x", 3000)+strings.Repeat("<tr><td>x", 3000)+"</table>")
	if err != nil || strings.Count(doc.Text, "x") != 6000 || len(doc.Text) > 100_000 {
		t.Errorf("a table of one long row: %d bytes, %v", len(doc.Text), err)
	}
	doc, err = read(t, "wide.html", strings.Repeat("<p>word", 20_000))
	if err != nil || strings.Count(doc.Text, "word") != 20_000 {
		t.Errorf("a page of 20,000 open paragraphs: %d words, %v", strings.Count(doc.Text, "word"), err)
	}
	if doc, err := read(t, "lists.html", strings.Repeat("<ul><li>word", 200)); err != nil || strings.Count(doc.Text, "word") != 200 {
		t.Errorf("a list 200 deep: %d words, %v", strings.Count(doc.Text, "word"), err)
	}
}

func TestNestedHTMLIsFast(t *testing.T) {
	for _, element := range []string{"<blockquote>", "<ul><li>", "<table><tr><td>", "<b><p>", "<pre>", "<em><h1>", "<div><h1>"} {
		start := time.Now()
		doc, err := read(t, "a.html", strings.Repeat(element, 120)+strings.Repeat("word <br>", 10_000))
		if took := time.Since(start); err != nil || took > 3*time.Second*slow || strings.Count(doc.Text, "word") < 10_000 {
			t.Errorf("120 of %s took %v: %d words, %v", element, took, strings.Count(doc.Text, "word"), err)
		}
	}
}

func TestReadConcurrently(t *testing.T) {
	t.Parallel()
	l := list(t, Options{}, folder(t, map[string]string{"a.html": "<h1>A</h1><table><tr><td>1</table>", "b.html": "<p>b", "c.md": "---\na: b\n---\n"}))
	var wg sync.WaitGroup
	for range 4 {
		for _, f := range l.Files {
			wg.Go(func() {
				if _, _, err := Read(context.Background(), f, Options{}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
}

func FuzzRead(f *testing.F) {
	f.Add(1, []byte("---\na: &x [1, *x]\n? b\n---\n# T"))
	f.Add(2, []byte("<meta charset=utf-16><title>\x00<table><td colspan=9><pre>"))
	f.Add(0, []byte("\xff\xfeT\x00i\x00m\x00e\x00:\x00\xd8"))
	f.Add(3, []byte("id,text\n1,\"a\nb\"\n,c\n"))
	f.Add(4, []byte(`[{"text":"a","x":[1,{"y":null}]},{"text":"b"}]`))
	f.Add(5, []byte("{\"text\":\"a\",\"id\":1}\n\n[]"))
	f.Add(6, []byte(onePage(pdfStreamOf("", "BT /F1 12 Tf 1 0 0 1 2 3 Tm [(A) -300 (b)] TJ T* (c) ' ET"))))
	f.Add(7, []byte(packed(f, wordBody(wordParagraph(`<w:pStyle w:val="Heading1"/>`, "A")+"<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"))))
	f.Fuzz(func(t *testing.T, kind int, raw []byte) {
		name := []string{"a.txt", "a.md", "a.html", "a.csv", "a.json", "a.jsonl", "a.pdf", "a.docx"}[uint(kind)%8]
		start := time.Now()
		defer func() {
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("Read(%q) of %d bytes took %v", name, len(raw), took)
			}
		}()
		file := File{URI: name, Path: "-", Content: append([]byte{}, raw...)}
		var docs []graph.Document
		var err error
		if f, _ := formatOf(name); f.apart { // in this process, which the fuzzer watches
			var doc graph.Document
			doc, _, err = f.read(context.Background(), raw, graph.Document{URI: name, Title: "a"})
			docs = append(docs, doc)
		} else {
			docs, _, err = Read(context.Background(), file, Options{})
		}
		if err != nil {
			if strings.Contains(err.Error(), "broke off") || strings.Contains(err.Error(), "\n") {
				t.Fatal(err)
			}
			return
		}
		for _, d := range docs {
			checkDocument(t, name, raw, d)
		}
	})
}

func checkDocument(t *testing.T, name string, raw []byte, d graph.Document) {
	t.Helper()
	if !utf8.ValidString(d.Text) || !utf8.ValidString(d.Title+d.URI) || strings.ContainsAny(d.Text, "\x00\r") || strings.HasPrefix(d.Text, "\ufeff\ufeff") {
		t.Fatalf("Read(%q, %q) = %q", name, raw, d.Text)
	}
	for k, v := range d.Metadata {
		if !utf8.ValidString(k+v) || strings.Contains(k+v, "\x00") {
			t.Fatalf("metadata %q: %q", k, v)
		}
	}
}

func FuzzFrontMatter(f *testing.F) {
	f.Add("---\na: b\nc:\n  - d\n  - {e: f}\n---\nrest")
	f.Add("---\n? [a]\n: !!str &x |\n  y\n...\n")
	f.Fuzz(func(t *testing.T, text string) {
		fields, rest := frontMatter(text)
		if !strings.HasSuffix(text, rest) || fields == nil && rest != text {
			t.Fatalf("frontMatter(%q) = %v, %q", text, fields, rest)
		}
	})
}
