package eval

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// testSet returns a corpus of three documents with a search that counts its calls, and
// fails at call stopAt.
func testSet(asked *int, stopAt int) Set {
	return Set{
		Corpus: "main", State: "1", Documents: []string{"docs/a.txt", "docs/b.txt", "docs/c.txt"},
		Questions: []Question{
			{ID: "1", Text: "a b c", Type: "single", Documents: []string{"a"}},
			{ID: "2", Text: "b a c", Type: "multi", Documents: []string{"a", "c.txt"}},
			{ID: "3", Text: "none"},
			{ID: "4", Text: "gone", Documents: []string{"d"}},
		},
		Search: func(_ context.Context, v Variant, question string) ([]string, time.Duration, error) {
			if *asked == stopAt {
				return nil, 0, errors.New("killed")
			}
			*asked++
			var found []string
			for name := range strings.FieldsSeq(question) {
				found = append(found, "docs/"+name+".txt")
			}
			if v.Settings["turned"] == 1 {
				found[0], found[1] = found[1], found[0]
			}
			return found, 3 * time.Millisecond, nil
		},
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	asked := 0
	now := time.Unix(0, 0)
	o := Options{
		Sets:     []Set{testSet(&asked, -1)},
		Variants: []Variant{{Method: "basic"}, {Method: "basic", Settings: map[string]float64{"turned": 1}}},
		Results:  filepath.Join(t.TempDir(), "new", "results.jsonl"),
		Clock:    func() time.Time { now = now.Add(5 * time.Millisecond); return now },
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Questions != 2 || r.Without != 1 || r.Absent != 1 || r.Unknown != 1 || r.Resumed != 0 || asked != 4 {
		t.Errorf("%d searches: got %+v", asked, r)
	}
	want := `| method | questions | recall@1 | @3 | @5 | @10 | all@5 | MRR | nDCG@10 | ms Neo4j | ms Go |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| basic | 2 | 0.500 | 1.000 | 1.000 | 1.000 | 1.000 | 0.750 | 0.847 | 3.0 | 2.0 |
| - multi | 1 | 0.000 | 1.000 | 1.000 | 1.000 | 1.000 | 0.500 | 0.693 | 3.0 | 2.0 |
| - single | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 3.0 | 2.0 |
| basic turned=1 | 2 | 0.250 | 1.000 | 1.000 | 1.000 | 1.000 | 0.750 | 0.775 | 3.0 | 2.0 |
| - multi | 1 | 0.500 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 0.920 | 3.0 | 2.0 |
| - single | 1 | 0.000 | 1.000 | 1.000 | 1.000 | 1.000 | 0.500 | 0.631 | 3.0 | 2.0 |
`
	if diff := cmp.Diff(want, r.Table()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = `| method | questions | recall@5 | less basic | MRR | less basic |
|---|---|---:|---|---:|---|
| basic | all, 2 | 1.000 |  | 0.750 |  |
| basic | odd, 1 | 1.000 |  | 1.000 |  |
| basic | several, 1 | 1.000 |  | 0.500 |  |
| basic turned=1 | all, 2 | 1.000 | +0.000 (+0.000 to +0.000) | 0.750 | +0.000 (-0.500 to +0.500) |
| basic turned=1 | odd, 1 | 1.000 | +0.000 (+0.000 to +0.000) | 0.500 | -0.500 (-0.500 to -0.500) |
| basic turned=1 | several, 1 | 1.000 | +0.000 (+0.000 to +0.000) | 1.000 | +0.500 (+0.500 to +0.500) |
`
	if diff := cmp.Diff(want, r.Comparison()); diff != "" {
		t.Errorf("the comparison (-want +got):\n%s", diff)
	}
	if got := len(r.Remarks()); got != 3 {
		t.Errorf("got the remarks %q, want 3", r.Remarks())
	}
}

// TestInterruptedRun checks that a run that was killed, even within a line, continues, and
// that other settings, another corpus or a complete file start from scratch.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "results.jsonl")
	asked := 0
	options := func(stopAt int) Options {
		return Options{
			Sets: []Set{testSet(&asked, stopAt)}, Results: file,
			Variants: []Variant{{Method: "basic"}, {Method: "basic", Settings: map[string]float64{"turned": 1}}},
		}
	}
	killed := func() {
		t.Helper()
		asked = 0
		if _, err := Run(t.Context(), options(3)); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("got %v", err)
		}
	}
	run := func(name string, o Options, wantAsked, wantResumed int) Retrieval {
		t.Helper()
		asked = 0
		r, err := Run(t.Context(), o)
		if err != nil || asked != wantAsked || r.Resumed != wantResumed {
			t.Errorf("%s: %d searches, %d resumed, %v; want %d and %d", name, asked, r.Resumed, err, wantAsked, wantResumed)
		}
		for i := range r.Methods {
			r.Methods[i].MS, r.Methods[i].MSGo = 0, 0
		}
		return r
	}
	whole := run("new", options(-1), 4, 0)
	run("complete", options(-1), 4, 0)
	killed()
	resumed := run("killed", options(-1), 1, 3)
	for i := range whole.Methods {
		if w, g := whole.Methods[i].Metrics, resumed.Methods[i].Metrics; w != g {
			t.Errorf("killed and resumed: got %+v, want %+v", g, w)
		}
	}
	killed()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, body[:len(body)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	run("cut within a line", options(-1), 2, 2)
	for name, change := range map[string]func(*Options){
		"other filters":  func(o *Options) { o.Condition.Settings = map[string]string{"after": "2026"} },
		"other corpus":   func(o *Options) { o.Sets[0].State = "2" },
		"other values":   func(o *Options) { o.Variants[1].Settings["turned"] = 0 },
		"other question": func(o *Options) { o.Sets[0].Questions[0].Text = "c b a" },
	} {
		killed()
		o := options(-1)
		change(&o)
		run(name, o, 4, 0)
	}
	if err := os.WriteFile(file, []byte("something else\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("another file", options(-1), 4, 0)
}

// TestRunInFolder expects that a search that fails is noted and counts as having found nothing, that
// the next run makes it, that another setting makes other cells, and that a question keeps its
// evidence.
func TestRunInFolder(t *testing.T) {
	t.Parallel()
	f, err := evalrun.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	asked := 0
	run := func(stopAt int, filter string) (Retrieval, error) {
		asked = 0
		return Run(t.Context(), Options{
			Sets: []Set{testSet(&asked, stopAt)}, Folder: f, Condition: evalrun.Condition{Settings: map[string]string{"filter": filter}},
			Variants: []Variant{{Method: "basic"}, {Method: "basic", Settings: map[string]float64{"turned": 1}}},
		})
	}
	for _, step := range []struct {
		stopAt                           int
		filter                           string
		asked, resumed, failed, searches int
		mrr                              float64 // of the second variant
	}{
		{3, "", 3, 0, 1, 3, .25},
		{-1, "", 1, 3, 0, 4, .75},
		{-1, "", 0, 4, 0, 4, .75},
		{-1, "--after 2026", 4, 0, 0, 8, .75},
		{-1, "", 0, 4, 0, 8, .75},
	} {
		r, err := run(step.stopAt, step.filter)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(f.Searches.All()); asked != step.asked || r.Resumed != step.resumed || r.Failed != step.failed || len(f.Failures()) != step.failed || n != step.searches || r.Methods[1].MRR != step.mrr {
			t.Errorf("%+v: asked %d, %d searches, %d failures, %+v", step, asked, n, len(f.Failures()), r)
		}
	}
	if n := len(f.Questions.All()); n != 4 {
		t.Errorf("%d questions, want those without evidence too", n)
	}
	set := testSet(&asked, -1)
	set.Questions[0].Documents = []string{"b"}
	if _, err := Run(t.Context(), Options{Sets: []Set{set}, Folder: f, Variants: []Variant{{Method: "basic"}}}); !errors.Is(err, ErrOtherEvidence) {
		t.Errorf("other evidence: %v", err)
	}
}

func TestRunWithoutEvidence(t *testing.T) {
	t.Parallel()
	asked := 0
	set := testSet(&asked, -1)
	set.Questions = set.Questions[2:]
	_, err := Run(t.Context(), Options{Sets: []Set{set}, Variants: []Variant{{Method: "basic"}}, Results: filepath.Join(t.TempDir(), "r")})
	if !errors.Is(err, ErrQuestions) {
		t.Errorf("got %v, want ErrQuestions", err)
	}
}
