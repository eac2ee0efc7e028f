package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

var recordFiles = []string{"a.csv", "a.json", "a.jsonl"}

// pieces are ways in which bytes arrive.
type pieces func(io.Reader) io.Reader

func asTheyAre(r io.Reader) io.Reader { return r }

// readStream reads a file of records as Documents does, with its bytes and its text
// in pieces.
func readStream(f File, limit int, raw, decoded pieces) (docs []graph.Document, failures []Failure, err error) {
	kind, _ := formatOf(f.URI)
	base := graph.Document{URI: f.URI, Title: parse.Stem(f.URI), MIME: kind.mime, Date: parse.DateInName(parse.Stem(f.URI))}
	r := newRecords(context.Background(), base, Options{}, func(d graph.Document) error {
		docs = append(docs, d)
		return nil
	})
	r.limit = limit
	file, err := openFile(r.ctx, f, Options{})
	if err != nil {
		return nil, nil, err
	}
	file.bytes = seekable{raw(file.bytes), file.bytes}
	text, err := decode.Stream(file, file.rewind, "")
	if err == nil {
		err = kind.records(decoded(text), r)
	}
	if err == nil {
		err = r.addTables()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.URI, err)
	}
	return docs, r.failures, nil
}

type seekable struct {
	io.Reader
	io.Seeker
}

// compareWithWhole compares the stream with the whole text, for several ways in
// which the bytes can arrive, and for a limit that records exceed.
func compareWithWhole(t interface{ Fatalf(string, ...any) }, name string, raw []byte) {
	f := File{URI: name, Path: "-", Content: append([]byte{}, raw...)}
	for _, limit := range []int{maxRecord, 24} {
		docs, failures, err := readWhole(f, Options{}, limit)
		if limit != maxRecord && (strings.HasSuffix(name, ".csv") || err != nil || strings.Contains(fmt.Sprint(failures), "rest of the file")) {
			continue // the whole text of a CSV file has no limit; a long value is not checked in a stream
		}
		want := show(docs, failures, err)
		for i, p := range [][2]pieces{{asTheyAre, asTheyAre}, {iotest.OneByteReader, iotest.OneByteReader}, {iotest.HalfReader, iotest.HalfReader}, {iotest.DataErrReader, asTheyAre}} {
			if diff := cmp.Diff(want, show(readStream(f, limit, p[0], p[1]))); diff != "" {
				t.Fatalf("%s of %q, limit %d, pieces %d (-whole +stream):\n%s", name, raw, limit, i, diff)
			}
		}
		if limit != maxRecord {
			continue
		}
		if diff := cmp.Diff(want, show(Read(context.Background(), f, Options{}))); diff != "" {
			t.Fatalf("Read(%s) of %q (-whole +stream):\n%s", name, raw, diff)
		}
		entries, _, surveyErr := Survey(context.Background(), f, Options{})
		if fmt.Sprint(err) != fmt.Sprint(surveyErr) || len(entries) != len(docs) {
			t.Fatalf("Survey(%s) of %q: %d entries, %v, want %d and %v", name, raw, len(entries), surveyErr, len(docs), err)
		}
	}
}

func show(docs []graph.Document, failures []Failure, err error) any {
	lines := []string{fmt.Sprint(err)}
	for _, f := range failures {
		lines = append(lines, fmt.Sprintf("%d %s", f.Line, f.Err))
	}
	return []any{docs, lines}
}

// awkward are inputs that depend on more of a file than one record.
var awkward = []string{
	"", " ", "\n\n", "\ufeff", "\ufeff\ufeff[]", "[", "]", "}", "[]x", "[],\n,\n,", "[]\n\u00a0\n x", "[] \u00a0", ",\n\n{", "[,", "[\n\n,\n,{}]",
	"[{\"text\":\"a\"}\n\n}", "[{\"text\":\"a\"}\r\r\n\x00\n {\"text\":\"b\"}]", "[{\"text\":\"a\"},\n\n,\n,\n{}]", "{\"text\":\"a\"}\n,\n\n{\"text\":\"b\"}",
	"[1,\n22,\n\"3\",\n[4],\nnull]", "1 2\n3", "[{\"text\":\"a\",\n\"id\":1},\n{\"text\":\"b\",\n\"id\":\"1\"}]", "[{\"text\":\"a\"}" + strings.Repeat("\n", 9000) + ",{]",
	"[{\"text\":\"" + strings.Repeat("\\\"]}", 40) + "\"}\n,\n{\"text\":\"b\"}\n]\n\n x", "{\"text\":\"" + strings.Repeat("é", 40) + "\"}{\"text\":\"b\"}\n{\"text\":\"c\"}",
	"[\n{\"text\":\"" + strings.Repeat("\n", 40) + "\"},\n{\"text\":\"b\"}", "[\n" + strings.Repeat("1", 60) + "\n,\n{\"text\":\"b\"}]", "[[" + strings.Repeat("[1],", 40) + "1],\n{\"text\":\"b\"}]",
	"[{\"text\":\"a\"},{\"text\":\"" + strings.Repeat("x", 6000), " \u00a0{\"text\":\"a\"}\u2003 \n\u2003\n{\"text\":\"a\"}" + strings.Repeat(" ", 70) + "\nx",
	"[\n{\"text\":\n\n\n\"" + strings.Repeat("x", 40) + "\"\n},\n\n5,{}]",
	strings.Repeat("1", 60), "[" + strings.Repeat("1", 60), strings.Repeat("1", 60) + "\n{}" + strings.Repeat("2", 60) + "\"a\"\n3",
	"id,text\n\n\n1,a\n\n2,\"b\n\nc\"\n3,\"d\" e\n4,\"f\"\"\n,g\n\n5,h", "text\n\"a", "text\n\"a\n\n", "\n\ntext\na", "\"te\"\"xt\nb", "text;a\r\r\n\x00\r1;2\n", "text,text\n", "T,,\n,,\n\nid,\"a\nb\",c\n\n1,A,B\n", "\n\n# T\n\n\"# U\nV\"\nid,text\n1,A\n1,B", "T,,\n\"a", "sep=,\nT,,\na,b,c\n1,2,3",
	"\xff\xfe[\x00]\x00", "\xfe\xff\x00t", "\xff\xfe", "\xff\xfet\x00e\x00x\x00t\x00\n\x00\x00\xd8a\x00\x3d\xd8\x00\xdea", "t\x00e\x00x\x00t\x00\n\x00a\x00\r\x00\n\x00b\x00",
	"text\n\x1b$B;3ED\x1b(B\n", "text\nZoë é\xf8 \x96\xe9\x95x\xe9\n", "text\ncaf\xe9 \x93x\x94\n", "text\nZoë é\xff\xfe\x00\xff\n", "text\n\xe9\x95\x95\xe9\x95", "text\n\xf0\x9f\x98", "\xff\xfea\x00\x00\x00", "a\x00b", "text\n" + strings.Repeat("text ", 2000) + "\x00.",
	"text\n" + strings.Repeat("é", 40000) + "\xff\xff\n\xff" + strings.Repeat("a", 70000), "text\n" + strings.Repeat("\xe9", 70000),
}

func TestStreamEqualsWholeText(t *testing.T) {
	t.Parallel()
	for _, raw := range awkward {
		for _, name := range recordFiles {
			compareWithWhole(t, name, []byte(raw))
		}
	}
	parts := []string{
		"\r", "\n", "\r\n", "\x00", " ", "\t", ",", ";", "\"", "\"\"", "[", "]", "{", "}", "\\", "1", "null", "a", "é", "\ufeff", "\ufffd", "\u00a0", "\xff", "\xe9", "\xf0\x9f",
		"id,text\n", `{"text":"a"}`, `{"text":"b","id":1}`, `{"text":"`, `"id"`, "x\ny\n", `{"text":"0123456789abcdef"}`, strings.Repeat("y", 4090), strings.Repeat("\n", 4090), strings.Repeat("é", 3000),
	}
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(parts), rapid.String()), 0, 30).Draw(t, "parts"), "")
		switch name := rapid.SampledFrom(recordFiles).Draw(t, "name"); {
		case name == "a.csv" && rapid.Bool().Draw(t, "header"):
			compareWithWhole(t, name, []byte("id,text\n"+raw))
		case name == "a.json" && rapid.Bool().Draw(t, "array"):
			compareWithWhole(t, name, []byte("["+raw+"]"))
		default:
			compareWithWhole(t, name, []byte(raw))
		}
	})
}

func FuzzStreamEqualsWholeText(f *testing.F) {
	for i, raw := range awkward {
		if len(raw) < 10_000 { // a longer one would slow down the fuzzer
			f.Add(i, []byte(raw))
		}
	}
	f.Fuzz(func(t *testing.T, kind int, raw []byte) {
		compareWithWhole(t, recordFiles[uint(kind)%3], raw)
	})
}

func TestLongRows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 9000)
	for _, tc := range []struct {
		raw            string
		docs, failures []string
	}{
		{"id,text\n1,A\n2," + long + "\n3,C\n", []string{"1", "3"}, []string{"3 record has 9003 bytes"}},
		{"id,text\n\n\n2,\"" + long + "\n\"\"\n\"\n3,\"C\nD\"\n4,x\"y\n", []string{"3", "4"}, []string{"4 record has 9009 bytes"}},
		{"id,text\n2,\"" + long + "\n3,C\n", nil, []string{"2 record has 9008 bytes"}},
		{"id,text\n2,\"" + long + "\n3,\"C\"\n4,D\n5,E\n", nil, []string{"2 record has 9018 bytes"}},
		{"id,text\n1,A\n" + strings.Repeat("\n", 9000) + "2,B", []string{"1", "2"}, nil},
	} {
		docs, failures, err := readStream(File{URI: "a.csv", Content: []byte(tc.raw)}, 100, asTheyAre, asTheyAre)
		var ids, lines []string
		for _, d := range docs {
			ids = append(ids, strings.TrimPrefix(d.URI, "a.csv#"))
		}
		for _, f := range failures {
			_, message, _ := strings.Cut(f.Err.Error(), ": line ")
			_, message, _ = strings.Cut(message, ": ")
			message, _, _ = strings.Cut(message, ",")
			message, _, _ = strings.Cut(message, ": ")
			lines = append(lines, fmt.Sprint(f.Line, " ", message))
		}
		if diff := cmp.Diff([][]string{tc.docs, tc.failures}, [][]string{ids, lines}); err != nil || diff != "" {
			t.Errorf("%.40q: %v (-want +got):\n%s", tc.raw, err, diff)
		}
	}
}

func TestErrorOfYieldEndsReading(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	for name, raw := range map[string]string{"a.csv": "text\na\nb\n", "a.json": `[{"text":"a"},{"text":"b"}]`, "a.jsonl": "{\"text\":\"a\"}\n{\"text\":\"b\"}", "a.txt": "a"} {
		n := 0
		failures, err := Documents(context.Background(), File{URI: name, Content: []byte(raw)}, Options{}, func(graph.Document) error {
			n++
			return stop
		})
		if err != stop || n != 1 || failures != nil { //nolint:errorlint // it is returned as it is
			t.Errorf("%s: %d documents, failures %v, error %v, want 1 and %v", name, n, failures, err, stop)
		}
		func() {
			defer func() {
				if p := recover(); p != "caller" {
					t.Errorf("%s: the panic of yield became %v", name, p)
				}
			}()
			_, err := Documents(context.Background(), File{URI: name, Content: []byte(raw)}, Options{}, func(graph.Document) error { panic("caller") })
			t.Errorf("%s: the panic of yield became the error %v", name, err)
		}()
	}
}

// TestErrorAfterDocuments reads files whose error shows after some documents.
func TestErrorAfterDocuments(t *testing.T) {
	t.Parallel()
	f := File{URI: "a.tsv", Content: []byte("text\nA\n" + strings.Repeat("x", maxRecord+1))}
	n := 0
	_, err := Documents(context.Background(), f, Options{}, func(graph.Document) error {
		n++
		return nil
	})
	if n != 1 || err == nil || !strings.Contains(err.Error(), "line 3 has more than") {
		t.Errorf("Documents of a long line: %d documents, error %v", n, err)
	}
	entries, failures, err := Survey(context.Background(), f, Options{})
	if entries != nil || failures != nil || err == nil {
		t.Errorf("Survey of a long line = %v, %v, %v, want only an error", entries, failures, err)
	}
	r := newRecords(context.Background(), graph.Document{}, Options{}, func(graph.Document) error { return nil })
	r.count = maxRecords - 1
	if err := readJSONLines(strings.NewReader("{\"text\":\"A\"}\n{\"text\":\"B\"}\n"), r); err == nil || !strings.Contains(err.Error(), "split the file") {
		t.Errorf("too many documents: %v", err)
	}
	for _, name := range recordFiles {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("text\n1\n2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Read(context.Background(), File{URI: name, Path: path}, Options{MaxFileSize: 8})
		if err == nil || !strings.HasPrefix(err.Error(), "read "+name+": larger than the limit") {
			t.Errorf("%s that grew: %v", name, err)
		}
	}
	broken := errors.New("broken disk")
	for name, raw := range map[string]string{"a.csv": "text\na\n", "a.json": `[{"text":"a"}`, "a.jsonl": "{\"text\":\"a\"}\n"} {
		for at := range len(raw) + 1 {
			kind, _ := formatOf(name)
			r := newRecords(context.Background(), graph.Document{}, Options{}, func(graph.Document) error { return nil })
			err := kind.records(io.MultiReader(strings.NewReader(raw[:at]), iotest.ErrReader(broken)), r)
			if !errors.Is(err, broken) || len(r.failures) > 0 {
				t.Errorf("%s broken at byte %d: %v, failures %v", name, at, err, r.failures)
			}
		}
	}
}

// TestMemoryDoesNotGrowWithTheFile is not parallel, since it measures the heap.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	for _, tc := range []struct{ file, head, record, tail string }{
		{"a.jsonl", "", "{\"id\":%d,\"text\":\"%s\"}\n", ""},
		{"a.json", "[{\"text\":\"A\"}\n", ",{\"id\":\"n%d\",\"text\":\"%s\"}\n", "]"},
		{"a.csv", "id,text\n", "%d,\"%s\"\n", ""},
	} {
		small, large := peakHeap(t, tc.file, tc.head, tc.record, tc.tail, 20), peakHeap(t, tc.file, tc.head, tc.record, tc.tail, 40)
		t.Logf("%s: peak of the heap %d KiB for 20 MB, %d KiB for 40 MB", tc.file, small>>10, large>>10)
		if large > small+small/4 || large > 16<<20 {
			t.Errorf("%s: peak of the heap is %d bytes for 40 MB, %d for 20 MB", tc.file, large, small)
		}
	}
}

// peakHeap returns the largest heap while a file of that size is read.
func peakHeap(t *testing.T, name, head, record, tail string, megabytes int) (peak uint64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	text := strings.Repeat("Zoë says hello. ", 600)
	records := megabytes * 100 // of 10 kB
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(file)
	_, err = w.WriteString(head)
	for i := range records {
		_, wrong := fmt.Fprintf(w, record, i, text)
		err = errors.Join(err, wrong)
	}
	_, wrong := w.WriteString(tail)
	if err := errors.Join(err, wrong, w.Flush(), file.Close()); err != nil {
		t.Fatal(err)
	}
	n := 0
	failures, err := Documents(context.Background(), File{URI: name, Path: path}, Options{}, func(graph.Document) error {
		if n++; n%(records/10) == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || len(failures) > 0 || n < records {
		t.Fatalf("%s: %d documents, %v, %v", name, n, failures, err)
	}
	return peak
}
