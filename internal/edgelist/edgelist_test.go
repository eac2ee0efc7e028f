package edgelist_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/edgelist"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/testcorpora"
)

type edge struct {
	Source, Target string
	Weight         float64
}

// edges are those of a list, each once, as texts that can be compared.
func edges(l edgelist.List) []string {
	var out []string
	for u := range uint32(l.Graph.Nodes()) {
		for v, w := range l.Graph.Neighbors(u) {
			if u < v {
				out = append(out, fmt.Sprintf("%s|%s|%v", l.Names[u], l.Names[v], w))
			}
		}
	}
	return out
}

func read(t rapid.TB, text string, o edgelist.Options) edgelist.List {
	t.Helper()
	o.Name = "list"
	l, err := edgelist.Read(context.Background(), strings.NewReader(text), o)
	if err != nil {
		t.Fatalf("read %q: %v", text, err)
	}
	return l
}

func TestRead(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text   string
		format edgelist.Format
		names  string
		edges  []string
		loops  int
	}{
		"nothing":                          {"", edgelist.Auto, "", nil, 0},
		"remarks only":                     {"# one\n\n  % two\n", edgelist.Auto, "", nil, 0},
		"blanks":                           {"a b\nb\t c  2.5\n", edgelist.Auto, "a b c", []string{"a|b|1", "b|c|2.5"}, 0},
		"no end of line":                   {"a b\nb c", edgelist.Auto, "a b c", []string{"a|b|1", "b|c|1"}, 0},
		"line ends of Windows, mark":       {"\xef\xbb\xbfa b\r\n\r\nb c\r\n", edgelist.Auto, "a b c", []string{"a|b|1", "b|c|1"}, 0},
		"both directions and twice sum":    {"a b 1\nb a 2\na b 0.5\n", edgelist.Auto, "a b", []string{"a|b|3.5"}, 0},
		"loops":                            {"a a 4\na b\nc c\n", edgelist.Auto, "a b c", []string{"a|b|1"}, 2},
		"a weight of 0 leaves the nodes":   {"a b 0\n", edgelist.Auto, "a b", nil, 0},
		"numbers in their order":           {"10 9\n9 100\n2 10\n", edgelist.Auto, "2 9 10 100", []string{"2|10|1", "9|10|1", "9|100|1"}, 0},
		"great and far numbers":            {"4294967296 0\n4294967295 0\n", edgelist.Auto, "0 4294967295 4294967296", []string{"0|4294967295|1", "0|4294967296|1"}, 0},
		"a number with zeros is a text":    {"7 07\n10 07\n", edgelist.Auto, "07 10 7", []string{"07|10|1", "07|7|1"}, 0},
		"numbers and names are texts":      {"10 9\n9 x\n", edgelist.Auto, "10 9 x", []string{"10|9|1", "9|x|1"}, 0},
		"tabs keep blanks in names":        {"Ann Lee\tBob\t2\n", edgelist.Auto, "Ann Lee,Bob", []string{"Ann Lee|Bob|2"}, 0},
		"commas":                           {"a,b,2\nb, c\n", edgelist.Auto, "a b c", []string{"a|b|2", "b|c|1"}, 0},
		"quotes":                           {"\"Lee, Ann\",\"the \"\"B\"\"\",2\nx , \"y\"\n", edgelist.Commas, "Lee, Ann|the \"B\"|x|y", []string{"Lee, Ann|the \"B\"|2", "x|y|1"}, 0},
		"a name that begins like a remark": {"\"#a\",b\n", edgelist.Commas, "#a b", []string{"#a|b|1"}, 0},
		"titles":                           {"Source,Target\na,b\n", edgelist.Commas, "a b", []string{"a|b|1"}, 0},
		"titles in another order":          {"id,weight,to,from\n1,2.5,b,a\n", edgelist.Commas, "a b", []string{"a|b|2.5"}, 0},
		"letters as titles":                {"u,v,w\na,b,3\n", edgelist.Commas, "a b", []string{"a|b|3"}, 0},
		"letters as nodes":                 {"u,v\na,b,3\n", edgelist.Commas, "a b u v", []string{"a|b|3", "u|v|1"}, 0},
		"titles of tabs":                   {"source\ttarget\na\tb\n", edgelist.Tabs, "a b", []string{"a|b|1"}, 0},
		"no titles between blanks":         {"source target\na b\n", edgelist.Whitespace, "a b source target", []string{"a|b|1", "source|target|1"}, 0},
		"titles as nodes, with a weight":   {"from,to,2\na,b,1\n", edgelist.Commas, "a b from to", []string{"a|b|1", "from|to|2"}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := read(t, tt.text, edgelist.Options{Format: tt.format})
			between := " "
			for _, b := range []string{"|", ","} {
				if strings.Contains(tt.names, b) && between == " " {
					between = b
				}
			}
			if diff := cmp.Diff(tt.names, strings.Join(l.Names, between)); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.edges, edges(l)); diff != "" {
				t.Errorf("edges (-want +got):\n%s", diff)
			}
			if l.Loops != tt.loops {
				t.Errorf("got %d loops, want %d", l.Loops, tt.loops)
			}
		})
	}
}

func TestBadLines(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text   string
		format edgelist.Format
		want   string
	}{
		"one column":         {"a b\n\nc\n", edgelist.Whitespace, "list:3: 1 columns, want source, target and perhaps a weight with blanks between"},
		"four columns":       {"a b 1 2", edgelist.Whitespace, "list:1: 4 columns, want source, target and perhaps a weight with blanks between"},
		"other separator":    {"a;b", edgelist.Commas, "list:1: 1 columns, want source, target and perhaps a weight with commas between"},
		"columns and titles": {"from,to\na", edgelist.Commas, "list:2: 1 columns, and the first line names 2"},
		"weight":             {"a b x", edgelist.Whitespace, `list:1: weight "x" is not a number`},
		"weight NaN":         {"a b NaN", edgelist.Whitespace, `list:1: weight "NaN" is not a number`},
		"weight infinite":    {"a b inf", edgelist.Whitespace, `list:1: weight "inf" is not a number`},
		"weight negative":    {"a b -1", edgelist.Whitespace, `list:1: weight "-1" is negative`},
		"weight large":       {"a b 1e39", edgelist.Whitespace, `list:1: weight "1e39" is too large`},
		"weight of terminal": {"a b \x1b[2J", edgelist.Whitespace, `list:1: weight "\x1b[2J" is not a number`},
		"no name":            {"a,b\n,b", edgelist.Commas, "list:2: a node without a name"},
		"not UTF-8":          {"a \xff", edgelist.Whitespace, `list:1: name "\xff" is not UTF-8`},
		"long name":          {"a " + strings.Repeat("x", 5000), edgelist.Whitespace, "list:1: a name of 5000 bytes, 4096 are possible"},
		"long line":          {"a b\na " + strings.Repeat(" ", 70_000) + "b\nb c", edgelist.Whitespace, "list:2: longer than 65536 bytes"},
		"very long line":     {"a b\n" + strings.Repeat("x", 400_000) + "\nb c", edgelist.Whitespace, "list:2: longer than 65536 bytes"},
		"very long last":     {"a b\n" + strings.Repeat("x", 400_000), edgelist.Whitespace, "list:2: longer than 65536 bytes"},
		"open quote":         {"\"a,b", edgelist.Commas, "list:1: a quote is not closed on its line"},
		"quote inside":       {"a\"b,c", edgelist.Commas, "list:1: a quote stands inside a field that does not begin with one"},
		"after a quote":      {"\"a\"b,c", edgelist.Commas, "list:1: after a closing quote comes neither a comma nor the end"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := edgelist.Read(t.Context(), strings.NewReader(tt.text), edgelist.Options{Name: "list", Format: tt.format})
			if !errors.Is(err, edgelist.ErrLine) || err.Error() != tt.want {
				t.Errorf("got error %v, want %s", err, tt.want)
			}
			l := read(t, tt.text, edgelist.Options{Format: tt.format, SkipBad: true})
			if l.Skipped != 1 || len(l.Bad) != 1 || l.Bad[0].Error() != tt.want {
				t.Errorf("skipped: got %d, %v, want the one line", l.Skipped, l.Bad)
			}
			if want := strings.Count(tt.text, "a b\n") + strings.Count(tt.text, "b c"); l.Lines != want && tt.format == edgelist.Whitespace {
				t.Errorf("got %d lines, want the %d that are good", l.Lines, want)
			}
		})
	}
}

func TestManyBadLines(t *testing.T) {
	t.Parallel()
	l := read(t, strings.Repeat("x\n", 50)+"a b\n", edgelist.Options{SkipBad: true})
	if l.Skipped != 50 || len(l.Bad) != 10 || l.Lines != 1 {
		t.Errorf("got %d skipped, %d kept, %d lines, want 50, 10, 1", l.Skipped, len(l.Bad), l.Lines)
	}
}

// write is a list of edges in a format.
func write(list []edge, format edgelist.Format) string {
	var b strings.Builder
	for _, e := range list {
		weight := strconv.FormatFloat(e.Weight, 'g', -1, 64)
		switch format {
		case edgelist.Commas:
			quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
			fmt.Fprintf(&b, "%s,%s,%s\n", quote(e.Source), quote(e.Target), weight)
		case edgelist.Tabs:
			fmt.Fprintf(&b, "%s\t%s\t%s\n", e.Source, e.Target, weight)
		default:
			fmt.Fprintf(&b, "%s %s %s\n", e.Source, e.Target, weight)
		}
	}
	return b.String()
}

func squeeze(t *rapid.T, text string) io.Reader {
	t.Helper()
	if !rapid.Bool().Draw(t, "gzip") {
		return strings.NewReader(text)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// What is written is read again, and lines in another order are the same
// graph with the same communities.
func TestWrittenGraphIsReadAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]edgelist.Format{edgelist.Whitespace, edgelist.Tabs, edgelist.Commas}).Draw(t, "format")
		letters := map[edgelist.Format]string{edgelist.Whitespace: `[a-cé",0-9]{1,3}`, edgelist.Tabs: `[a-c0-9é]( ?[a-c0-9",])?`, edgelist.Commas: `[#a-c0-9,"]{1,3}`}[format]
		if rapid.Bool().Draw(t, "numbers") {
			letters = `0|[1-9][0-9]{0,5}`
		}
		node, weight := rapid.StringMatching(letters), rapid.SampledFrom([]float64{1, 0.1, 2, 1e-12, 7.25, 1e6})
		list := make([]edge, rapid.IntRange(1, 60).Draw(t, "edges"))
		sums := map[[2]string]float64{}
		for i := range list {
			e := edge{node.Draw(t, "source"), node.Draw(t, "target"), weight.Draw(t, "weight")}
			list[i] = e
			if e.Source != e.Target {
				sums[[2]string{min(e.Source, e.Target), max(e.Source, e.Target)}] += e.Weight
			}
		}
		l, err := edgelist.Read(context.Background(), squeeze(t, write(list, format)), edgelist.Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		for u := range uint32(l.Graph.Nodes()) {
			for v, got := range l.Graph.Neighbors(u) {
				pair := [2]string{min(l.Names[u], l.Names[v]), max(l.Names[u], l.Names[v])}
				if want := sums[pair]; math.Abs(got-want) > want*1e-6 {
					t.Fatalf("%v: got weight %v, want %v", pair, got, want)
				}
			}
		}
		if got := l.Graph.Edges(); got != len(sums) || l.Lines != len(list) {
			t.Fatalf("got %d edges of %d lines, want %d of %d", got, l.Lines, len(sums), len(list))
		}
		other := read(t, write(rapid.Permutation(list).Draw(t, "order"), format), edgelist.Options{Format: format})
		if diff := cmp.Diff(l.Names, other.Names) + cmp.Diff(edges(l), edges(other)) + cmp.Diff(partition(t, l), partition(t, other)); diff != "" {
			t.Fatalf("lines in another order (-one +other):\n%s", diff)
		}
	})
}

func partition(t rapid.TB, l edgelist.List) leiden.Partition {
	t.Helper()
	p, err := leiden.Cluster(context.Background(), l.Graph, leiden.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestBrokenGzip(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i := range 100_000 {
		_, _ = fmt.Fprintln(z, i, i*7919%100_003)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for name, data := range map[string][]byte{"cut": whole[:len(whole)/2], "head only": {0x1f, 0x8b, 9}, "two bytes": {0x1f, 0x8b}} {
		if _, err := edgelist.Read(t.Context(), bytes.NewReader(data), edgelist.Options{Name: "list.gz"}); err == nil || !strings.Contains(err.Error(), "list.gz") {
			t.Errorf("%s: got error %v, want one that names the file", name, err)
		}
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if _, err := edgelist.Read(ctx, strings.NewReader("a b\n"), edgelist.Options{}); !errors.Is(err, stopped) {
		t.Errorf("read: got error %v, want the cause", err)
	}
	if _, _, err := edgelist.SortNames(ctx, []string{"b", "a"}); !errors.Is(err, stopped) {
		t.Errorf("order: got error %v, want the cause", err)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]edgelist.Format{
		"a.txt": edgelist.Whitespace, "A.TSV": edgelist.Tabs, "x/a.csv.gz": edgelist.Commas, "a.txt.GZ": edgelist.Whitespace, "-": edgelist.Auto, "a.edges": edgelist.Auto,
	} {
		if got := edgelist.FormatOf(name); got != want {
			t.Errorf("format of %s: got %q, want %q", name, got, want)
		}
	}
	if f, err := edgelist.ParseFormat("csv"); err != nil || f != edgelist.Commas {
		t.Errorf("csv: got %q, %v", f, err)
	}
	if _, err := edgelist.ParseFormat("xml"); err == nil {
		t.Error("xml: got no error")
	}
}

// Small numbers, far ones and many: the table finds each again.
func TestNumbersNearAndFar(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintln(&text, i*3, 4_000_000_000-i)
		fmt.Fprintln(&text, i*3, i*700)
	}
	l := read(t, text.String(), edgelist.Options{})
	distinct := map[int]bool{}
	for i := range 30_000 {
		distinct[i*3], distinct[4_000_000_000-i], distinct[i*700] = true, true, true
	}
	if len(l.Names) != len(distinct) {
		t.Fatalf("got %d nodes, want %d", len(l.Names), len(distinct))
	}
	last := -1
	for _, name := range l.Names {
		n, err := strconv.Atoi(name)
		if err != nil || n <= last || !distinct[n] {
			t.Fatalf("name %s after %d", name, last)
		}
		last = n
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a b\nb c 2\n", "source,target,weight\n\"x, y\",z,1e3\n", "1\t2\t0.5\r\n", "# r\n% r\n", "\x1f\x8b\x08", "\"a\"\"b\",c", "a b nan", "\xef\xbb\xbf1 2"} {
		for _, format := range []string{"", "txt", "tsv", "csv"} {
			f.Add([]byte(seed), format, true)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format string, skip bool) {
		o := edgelist.Options{Name: "list", Format: edgelist.Format(format), SkipBad: skip}
		if _, err := edgelist.ParseFormat(format); err != nil {
			return
		}
		l, err := edgelist.Read(t.Context(), bytes.NewReader(data), o)
		if err != nil {
			return
		}
		if l.Graph.Nodes() != len(l.Names) || l.Graph.Edges() > l.Lines || len(l.Names) > 2*l.Lines {
			t.Fatalf("%d nodes, %d names, %d edges of %d lines", l.Graph.Nodes(), len(l.Names), l.Graph.Edges(), l.Lines)
		}
		seen := map[string]bool{}
		for _, name := range l.Names {
			if name == "" || seen[name] || strings.ContainsAny(name, "\n") {
				t.Fatalf("name %q is empty, twice or broken", name)
			}
			seen[name] = true
		}
	})
}

// The graphs that other tests read by numbers are the same read by this package.
func TestKnownGraphs(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		nodes, edges int
		modularity   float64
	}{"karate": {34, 78, 0.4198}, "lesmis": {77, 254, 0.5667}, "football": {115, 613, 0.6046}, "dolphins": {62, 159, 0.5285}} {
		f, err := os.Open(filepath.Join(testcorpora.Dir(t), "graphs", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		l, err := edgelist.Read(t.Context(), f, edgelist.Options{Name: name})
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if l.Graph.Nodes() != want.nodes || l.Graph.Edges() != want.edges {
			t.Errorf("%s: got %d nodes, %d edges, want %d, %d", name, l.Graph.Nodes(), l.Graph.Edges(), want.nodes, want.edges)
		}
		if q := partition(t, l).Modularity; q < want.modularity-0.005 || q > want.modularity+0.00006 {
			t.Errorf("%s: modularity %.5f, want near the best known, %.4f", name, q, want.modularity)
		}
	}
}
