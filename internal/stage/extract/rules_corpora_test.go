package extract

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

func readFiles(tb testing.TB, pattern string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(testcorpora.Dir(tb), pattern))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no files %s: %v", pattern, err)
	}
	var texts []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	return texts
}

// listing returns the entities, pairs and claims of extractions, one per line.
func listing(out []graph.Extraction) string {
	count, pairs, claims := map[string]int{}, map[string]int{}, map[string]int{}
	for _, x := range out {
		for _, e := range x.Entities {
			count[e.Type+": "+e.Name]++
		}
		for _, r := range x.Relationships {
			pairs[min(r.Source, r.Target)+" -- "+max(r.Source, r.Target)]++
		}
		for _, c := range x.Claims {
			claims[fmt.Sprintf("%s %s: %s -> %s", c.Type, c.Status, c.Subject, c.Object)]++
		}
	}
	var b strings.Builder
	for _, part := range []struct {
		title string
		of    map[string]int
	}{{"entities", count}, {"relationships", pairs}, {"claims", claims}} {
		fmt.Fprintf(&b, "# %s, with their chunks\n", part.title)
		names := keys(part.of)
		slices.Sort(names)
		for _, n := range names {
			fmt.Fprintf(&b, "%s (%d)\n", n, part.of[n])
		}
	}
	return b.String()
}

// changeNote heads a file of records as the rules found them.
const changeNote = `# The records of the rules as they are, right or wrong: nobody judged them, and some are wrong (rain is an event,
# Hamlet is related to Marley, most claims are denials). A difference shows a change. It does not measure quality:
# TestRulesQuality does.
`

func TestGoldenStaveOne(t *testing.T) {
	t.Parallel()
	text := readFiles(t, "christmas-carol/docs/stave-1.txt")[0]
	got := changeNote + listing(document(t, Rules{}, text, windows(text, 2600, 430)))
	golden := filepath.Join("testdata", "carol-stave-1.txt")
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Errorf("stave 1 (-want +got), NEORAG_UPDATE=1 to accept:\n%s", diff)
	}
}

func TestCarolHasOneScrooge(t *testing.T) {
	t.Parallel()
	for i, text := range readFiles(t, "christmas-carol/docs/*.txt") {
		found := map[string]bool{}
		for _, x := range document(t, Rules{}, text, windows(text, 2600, 430)) {
			for _, e := range x.Entities {
				if n := normalForm(e.Name); strings.HasSuffix(n, "scrooge") {
					found[e.Name+" "+e.Type] = true
				}
			}
		}
		if diff := gocmp.Diff(map[string]bool{"Scrooge person": true}, found); diff != "" {
			t.Errorf("stave %d: names of Scrooge (-want +got):\n%s", i+1, diff)
		}
	}
}

// A web is the graph of many documents, merged by names in lower case.
type web struct {
	nodes map[string]bool
	next  map[string][]string
	pairs int
}

func webOf(t *testing.T, texts []string) web {
	t.Helper()
	w := web{map[string]bool{}, map[string][]string{}, 0}
	seen := map[namePair]bool{}
	for _, text := range texts {
		chunks := windows(text, 2600, 430)
		out := document(t, Rules{}, text, chunks)
		checkExtractions(t, text, chunks, out)
		for _, x := range out {
			for _, e := range x.Entities {
				w.nodes[strings.ToLower(e.Name)] = true
			}
			for _, r := range x.Relationships {
				a, b := strings.ToLower(r.Source), strings.ToLower(r.Target)
				if p := makePair(a, b); !seen[p] {
					seen[p] = true
					w.pairs++
					w.next[a], w.next[b] = append(w.next[a], b), append(w.next[b], a)
				}
			}
		}
	}
	return w
}

// largest returns the number of nodes in the largest component.
func (w web) largest() int {
	most, seen := 0, map[string]bool{}
	for n := range w.nodes {
		queue := []string{n}
		size := 0
		for len(queue) > 0 {
			x := queue[0]
			queue = queue[1:]
			if seen[x] {
				continue
			}
			seen[x] = true
			size++
			queue = append(queue, w.next[x]...)
		}
		most = max(most, size)
	}
	return most
}

func (w web) hub() (name string, degree int) {
	name = slices.MaxFunc(keys(w.next), func(a, b string) int { return cmp.Compare(len(w.next[a]), len(w.next[b])) })
	return name, len(w.next[name])
}

func TestGraphs(t *testing.T) {
	t.Parallel()
	for pattern, most := range map[string]float64{"christmas-carol/docs/*.txt": .30, "lihuaworld/docs/*.txt": .20} {
		w := webOf(t, readFiles(t, pattern))
		hub, degree := w.hub()
		share := float64(w.largest()) / float64(len(w.nodes))
		hubShare := float64(degree) / float64(w.pairs)
		t.Logf("%s: %d entities, %d pairs, largest component %.3f, %d isolated, hub %s %.3f of pairs",
			pattern, len(w.nodes), w.pairs, share, len(w.nodes)-len(w.next), hub, hubShare)
		if share < .80 || share > .97 {
			t.Errorf("%s: the largest component holds %.3f of the entities, want .80 to .97", pattern, share)
		}
		if hubShare > most {
			t.Errorf("%s: %s has %.3f of all pairs, want at most %.2f", pattern, hub, hubShare, most)
		}
	}
}

func TestSameTextSameRecords(t *testing.T) {
	t.Parallel()
	for _, text := range readFiles(t, "christmas-carol/docs/stave-[13].txt") {
		chunks := windows(text, 2600, 430)
		first := document(t, Rules{}, text, chunks)
		for range 5 {
			if diff := gocmp.Diff(first, document(t, Rules{}, text, chunks)); diff != "" {
				t.Fatalf("extracting again gives different records:\n%s", diff)
			}
		}
	}
}

// noNames are words that must never become entities.
var noNames = strings.Fields("i he she they it we you the a this that monday friday sunday january march december oh yes no hurrah " +
	"said suddenly whereat then there here humbug bah hallo alas however whatever mr. mrs. sir thing way moment day time")

func TestNoCommonWordIsAName(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"christmas-carol/docs/*.txt", "lihuaworld/docs/202602*.txt", "wild/history/docs/[A-C]*"} {
		w := webOf(t, readFiles(t, pattern))
		for _, n := range noNames {
			if w.nodes[n] {
				t.Errorf("%s: %q is an entity", pattern, n)
			}
		}
	}
}

func BenchmarkRules(b *testing.B) {
	for name, pattern := range map[string]string{"carol": "christmas-carol/docs/*.txt", "chat": "lihuaworld/docs/202601*.txt", "web": "wild/history/docs/[A-C]*"} {
		texts := readFiles(b, pattern)
		b.Run(name, func(b *testing.B) {
			bytes := 0
			for _, text := range texts {
				bytes += len(text)
			}
			b.SetBytes(int64(bytes))
			for b.Loop() {
				for _, text := range texts {
					document(b, Rules{}, text, windows(text, 2600, 430))
				}
			}
		})
	}
}
