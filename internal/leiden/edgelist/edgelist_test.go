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

	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/leiden/edgelist"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

type edge struct {
	Source, Target string
	Weight         float64
}

// edges returns the edges of a list, each once, as texts that can be compared.
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
		"nothing":                        {"", edgelist.Auto, "", nil, 0},
		"comments only":                  {"# one\n\n  % two\n", edgelist.Auto, "", nil, 0},
		"white space":                    {"a b\nb\t c  2.5\n", edgelist.Auto, "a b c", []string{"a|b|1", "b|c|2.5"}, 0},
		"no end of line":                 {"a b\nb c", edgelist.Auto, "a b c", []string{"a|b|1", "b|c|1"}, 0},
		"CRLF and byte order mark":       {"\xef\xbb\xbfa b\r\n\r\nb c\r\n", edgelist.Auto, "a b c", []string{"a|b|1", "b|c|1"}, 0},
		"repeated edges sum":             {"a b 1\nb a 2\na b 0.5\n", edgelist.Auto, "a b", []string{"a|b|3.5"}, 0},
		"loops":                          {"a a 4\na b\nc c\n", edgelist.Auto, "a b c", []string{"a|b|1"}, 2},
		"a weight of 0 leaves the nodes": {"a b 0\n", edgelist.Auto, "a b", nil, 0},
		"numbers in their order":         {"10 9\n9 100\n2 10\n", edgelist.Auto, "2 9 10 100", []string{"2|10|1", "9|10|1", "9|100|1"}, 0},
		"large numbers":                  {"4294967296 0\n4294967295 0\n", edgelist.Auto, "0 4294967295 4294967296", []string{"0|4294967295|1", "0|4294967296|1"}, 0},
		"a number with zeros is a text":  {"7 07\n10 07\n", edgelist.Auto, "07 10 7", []string{"07|10|1", "07|7|1"}, 0},
		"numbers and names are texts":    {"10 9\n9 x\n", edgelist.Auto, "10 9 x", []string{"10|9|1", "9|x|1"}, 0},
		"tabs allow spaces in names":     {"Ann Lee\tBob\t2\n", edgelist.Auto, "Ann Lee,Bob", []string{"Ann Lee|Bob|2"}, 0},
		"commas":                         {"a,b,2\nb, c\n", edgelist.Auto, "a b c", []string{"a|b|2", "b|c|1"}, 0},
		"quotes":                         {"\"Lee, Ann\",\"the \"\"B\"\"\",2\nx , \"y\"\n", edgelist.Commas, "Lee, Ann|the \"B\"|x|y", []string{"Lee, Ann|the \"B\"|2", "x|y|1"}, 0},
		"a name that begins with #":      {"\"#a\",b\n", edgelist.Commas, "#a b", []string{"#a|b|1"}, 0},
		"header":                         {"Source,Target\na,b\n", edgelist.Commas, "a b", []string{"a|b|1"}, 0},
		"header in another order":        {"id,weight,to,from\n1,2.5,b,a\n", edgelist.Commas, "a b", []string{"a|b|2.5"}, 0},
		"letters in the header":          {"u,v,w\na,b,3\n", edgelist.Commas, "a b", []string{"a|b|3"}, 0},
		"letters as nodes":               {"u,v\na,b,3\n", edgelist.Commas, "a b u v", []string{"a|b|3", "u|v|1"}, 0},
		"header with tabs":               {"source\ttarget\na\tb\n", edgelist.Tabs, "a b", []string{"a|b|1"}, 0},
		"no header with white space":     {"source target\na b\n", edgelist.Whitespace, "a b source target", []string{"a|b|1", "source|target|1"}, 0},
		"header names as nodes":          {"from,to,2\na,b,1\n", edgelist.Commas, "a b from to", []string{"a|b|1", "from|to|2"}, 0},
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

// write returns a list of edges in a format.
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

// maybeGzip returns a reader of a text, gzipped or not.
func maybeGzip(t *rapid.T, text string) io.Reader {
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

// A list that was written is read back, and lines in another order give the same graph
// with the same communities.
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
		l, err := edgelist.Read(context.Background(), maybeGzip(t, write(list, format)), edgelist.Options{Format: format})
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
		if diff := cmp.Diff(l.Names, other.Names) + cmp.Diff(edges(l), edges(other)) + cmp.Diff(hierarchy(t, l), hierarchy(t, other)); diff != "" {
			t.Fatalf("lines in another order (-one +other):\n%s", diff)
		}
	})
}

func hierarchy(t rapid.TB, l edgelist.List) *leiden.Hierarchy {
	t.Helper()
	h, err := leiden.BuildHierarchy(context.Background(), l.Graph, leiden.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return h
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

// Well-known graphs are read as they are: with their size and best known modularity.
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
		if q := hierarchy(t, l).Modularity; q < want.modularity-0.005 || q > want.modularity+0.00006 {
			t.Errorf("%s: modularity %.5f, want near the best known, %.4f", name, q, want.modularity)
		}
	}
}
