package evalreport_test

import (
	stdcmp "cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// figures are what `eval qa`, `eval claims` and `eval evidence` print of a folder, or a report.
type figures struct {
	accuracy  map[string]stats.Interval // by judge, condition and type
	evidence  map[string][2]stats.Interval
	claims    map[string][]stats.Interval
	agreement map[string][2]float64 // share and number of pairs
}

func newFigures() figures {
	return figures{map[string]stats.Interval{}, map[string][2]stats.Interval{}, map[string][]stats.Interval{}, map[string][2]float64{}}
}

// reported returns the figures of a report on all conditions.
func reported(t rapid.TB, f *evalrun.Folder) figures {
	t.Helper()
	r, err := evalreport.Make(f, evalreport.Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, c := range r.Conditions {
		keys[c.Name] = c.Key
	}
	keyOf := func(name string) string {
		if key := keys[name]; key != "" {
			return key
		}
		return strings.TrimPrefix(name, "always ")
	}
	out := newFigures()
	for _, a := range r.Accuracy {
		out.accuracy[fmt.Sprint(a.Judge, " ", keyOf(a.Condition))] = a.All.Interval
		for name, s := range a.ByType {
			out.accuracy[fmt.Sprint(a.Judge, " ", keyOf(a.Condition), " ", name)] = s.Interval
		}
	}
	for _, q := range r.Quoted {
		out.evidence["quotes "+keyOf(q.Condition)] = [2]stats.Interval{q.Quoted, q.Coverage}
	}
	for _, e := range r.Evidence {
		out.evidence[e.Judge+" "+keyOf(e.Condition)] = [2]stats.Interval{e.Precision, e.Recall}
	}
	for _, c := range r.Claims {
		of := []stats.Interval{c.Claims}
		for _, n := range c.Clusters {
			of = append(of, n.Interval)
		}
		out.claims[c.Extractor+" "+keyOf(c.Condition)] = of
	}
	for _, a := range r.Agreement {
		if judge, by, ok := strings.Cut(a.Of, ", and which answer has more "); ok {
			out.agreement[strings.Join([]string{judge, a.Criterion, by}, " ")] = [2]float64{a.Agreed, float64(a.Items)}
		}
	}
	return out
}

// assessed returns the figures of the same judges and extractors. Conditions of which nothing is
// assessed have no figures in a report.
func assessed(t rapid.TB, f *evalrun.Folder) figures {
	t.Helper()
	out := newFigures()
	judges, extractors := map[string]bool{evalrun.VerdictCorrect + " ": true}, map[string]bool{}
	for _, c := range score.Evidence(f, "").Conditions {
		if c.Citations > 0 {
			out.evidence["quotes "+c.Key] = [2]stats.Interval{c.Quoted, c.Coverage}
		}
	}
	for _, v := range f.Verdicts.All() {
		judges[v.Kind+" "+v.Judge] = true
	}
	for _, c := range f.Claims.All() {
		extractors[c.Extractor] = true
	}
	for judge := range judges {
		kind, judge, _ := strings.Cut(judge, " ")
		if kind == evalrun.VerdictEvidence {
			for _, c := range score.Evidence(f, judge).Conditions {
				if c.Judged+c.Failed > 0 {
					out.evidence[judge+" "+c.Key] = [2]stats.Interval{c.Precision, c.Recall}
				}
			}
			continue
		}
		qa, err := score.Folder(f, judge)
		if errors.Is(err, score.ErrNoKnownAnswers) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(qa.Methods, func(m score.QAMethod) bool { return !m.Constant && len(m.Groups) > 0 }) {
			continue // a report has no figures of constants alone
		}
		judge = stdcmp.Or(judge, score.Rules)
		for _, m := range qa.Methods {
			name := m.Key
			if m.Constant {
				name = m.Method
			}
			if s, ok := m.Groups["all"]; ok {
				out.accuracy[judge+" "+name] = s.Accuracy
			}
			for kind, s := range m.ByType {
				out.accuracy[strings.Join([]string{judge, name, kind}, " ")] = s.Accuracy
			}
		}
	}
	for extractor := range extractors {
		out.addClaims(score.Claims(f, extractor))
	}
	return out
}

func (out figures) addClaims(s score.ClaimScores) {
	for _, c := range s.Conditions {
		if c.Answers+c.Failed == 0 {
			continue
		}
		of := []stats.Interval{c.Claims}
		for _, n := range c.Clusters {
			of = append(of, n.Interval)
		}
		out.claims[s.Extractor+" "+c.Key] = of
	}
	for _, a := range s.Agreement {
		by := "claims"
		if a.Threshold > 0 {
			by = fmt.Sprintf("clusters at %.1f", a.Threshold)
		}
		if a.Labelled > 0 {
			out.agreement[fmt.Sprintf("%s %s %s (%s)", a.Judge, a.Criterion, by, s.Extractor)] = [2]float64{a.Agreed.Mean, float64(a.Labelled)}
		}
	}
}

func compareFigures(t rapid.TB, f *evalrun.Folder) figures {
	t.Helper()
	want, got := assessed(t, f), reported(t, f)
	rounded := cmp.Transformer("rounded", func(x float64) string { return fmt.Sprintf("%.9f", x) })
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(figures{}), rounded); diff != "" {
		t.Fatalf("figures of the report (-printed by the other commands +report):\n%s", diff)
	}
	return got
}

// TestFiguresAgree expects that a report on an evaluation by readers, and on the small one, has the
// figures that `eval qa`, `eval evidence` and `eval claims` print.
func TestFiguresAgree(t *testing.T) {
	for _, from := range []string{readersFolder, smallFolder} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		f, err := evalrun.Create(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := score.ExtractClaims(t.Context(), f, nil, score.Options{}); err != nil {
			t.Fatal(err)
		}
		got := compareFigures(t, f)
		if from == readersFolder && len(got.agreement) != 5 || from == smallFolder && (len(got.accuracy) == 0 || len(got.evidence) == 0) || len(got.claims) == 0 {
			t.Errorf("%s has too few figures to compare: %+v", from, got)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFiguresOfTiesAgree generates evaluations with ties, failures, and answers, verdicts and claims
// that are missing.
func TestFiguresOfTiesAgree(t *testing.T) {
	parent, n, agreements := t.TempDir(), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		f, err := evalrun.Create(filepath.Join(parent, strconv.Itoa(n)))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		generate(t, f)
		agreements += len(compareFigures(t, f).agreement)
	})
	if agreements == 0 {
		t.Error("no evaluation has an agreement")
	}
}

// generate makes a small evaluation.
func generate(t *rapid.T, f *evalrun.Folder) {
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	outcome := func(label string) string {
		return rapid.SampledFrom([]string{"made", "made", "made", "failed", "missing"}).Draw(t, label)
	}
	fails := func(kind, key string) { check(f.Fail(kind, key, fmt.Errorf("no %s", kind))) }
	var given [][]evalrun.Answer
	for i := range 3 {
		given = append(given, nil)
		c := evalrun.Condition{Method: []string{"basic", "local", "basic"}[i], State: strconv.Itoa(i / 2)}
		check(f.Conditions.Add(c))
		for j := range 4 {
			q := evalrun.Question{ID: strconv.Itoa(j), Text: fmt.Sprint("question ", j), Answer: []string{"Yes", "the no", "Marley", ""}[j], Type: []string{"a", "", "b", "null"}[j]}
			check(f.Questions.Add(q))
			a := evalrun.Answer{Condition: c.Key(), Question: q.Key(), Text: "Yes. [1]", References: 1, Uncited: 1, Citations: []evalrun.Citation{{N: 1, Statement: "Yes.", Quote: "yes"}}}
			given[i] = append(given[i], a)
			switch outcome("answer") {
			case "made":
				check(f.Answers.Add(a))
			case "failed":
				fails("answers", a.Key())
				continue
			default:
				continue
			}
			for _, kind := range []string{evalrun.VerdictCorrect, evalrun.VerdictEvidence} {
				v := evalrun.Verdict{Answer: a.Key(), Kind: kind, Judge: "j", Citations: 1, Statements: 2}
				v.Correct, v.Supported, v.Covered = rapid.Bool().Draw(t, "correct"), rapid.IntRange(0, 1).Draw(t, "supported"), rapid.IntRange(0, 2).Draw(t, "covered")
				switch outcome(kind) {
				case "made":
					check(f.Verdicts.Add(v))
				case "failed":
					fails("verdicts", v.Key())
				}
			}
			claims := evalrun.Claims{Answer: a.Key(), Extractor: "e"}
			claims.Claims = slices.Clone([]string{"Marley was dead", "Marley was very dead", "Scrooge signed it"}[:rapid.IntRange(0, 3).Draw(t, "claims")])
			switch outcome("claims") {
			case "made":
				check(f.Claims.Add(claims))
			case "failed":
				fails("claims", claims.Key())
			}
		}
	}
	for _, criterion := range []string{"comprehensiveness", "diversity", "directness"} {
		for _, pair := range [][2]int{{0, 1}, {1, 0}, {0, 2}, {2, 1}} {
			for j := range given[0] {
				first, second := given[pair[0]][j], given[pair[1]][j]
				if f.Answers.Has(first.Key()) && f.Answers.Has(second.Key()) {
					check(f.Judgements.Add(evalrun.Judgement{First: first.Key(), Second: second.Key(), Criterion: criterion, Judge: "j", Winner: rapid.IntRange(0, 2).Draw(t, "winner")}))
				}
			}
		}
	}
}
