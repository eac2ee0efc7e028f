package evalreport_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

// A writer collects the records of an evaluation. It writes each file once, because tests make
// hundreds of evaluations.
type writer struct {
	t     *testing.T
	files map[string]*bytes.Buffer // by name
}

// The files of an evaluation.
const (
	questions  = "questions"
	conditions = "conditions"
	answers    = "answers"
	judgements = "judgements"
	verdicts   = "verdicts"
	claims     = "claims"
	searches   = "searches"
	failures   = "failures"
)

func newWriter(t *testing.T) writer { return writer{t, map[string]*bytes.Buffer{}} }

func add[R evalrun.Record](w writer, file string, r R) R {
	w.t.Helper()
	if w.files[file] == nil {
		w.files[file] = &bytes.Buffer{}
	}
	if err := json.NewEncoder(w.files[file]).Encode(r); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// open writes the folder and opens it.
func (w writer) open() *evalrun.Folder {
	w.t.Helper()
	dir := w.t.TempDir()
	for name, body := range w.files {
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), body.Bytes(), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	f, err := evalrun.Open(dir)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// report returns the report on the evaluation.
func (w writer) report() evalreport.Report {
	w.t.Helper()
	r, err := evalreport.Make(w.open(), evalreport.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w writer) fail(kind, cell, cause string) {
	add(w, failures, evalrun.Failure{Kind: kind, Cell: cell, Error: cause})
}

func (w writer) question(q evalrun.Question) evalrun.Question { return add(w, questions, q) }

func (w writer) condition(c evalrun.Condition) evalrun.Condition { return add(w, conditions, c) }

// answer adds an answer with that many tokens of context.
func (w writer) answer(c evalrun.Condition, q evalrun.Question, tokens int) evalrun.Answer {
	return add(w, answers, evalrun.Answer{
		Condition: c.Key(), Question: q.Key(), Text: "An answer. [1]", WrittenBy: "model", References: 1, Seconds: float64(tokens) / 1000,
		Usage:         evalrun.Usage{Calls: 1 + int64(tokens/8000), TokensIn: int64(tokens) + 300, TokensOut: 120, Cost: float64(tokens) / 1e6},
		ContextTokens: tokens, ContextUnits: tokens / 500,
	})
}

func (w writer) judgement(first, second evalrun.Answer, criterion string, replicate, winner int) {
	add(w, judgements, evalrun.Judgement{
		First: first.Key(), Second: second.Key(), Criterion: criterion, Replicate: replicate, Judge: "judge-1", Winner: winner,
		Usage: evalrun.Usage{Calls: 1, TokensIn: 900, TokensOut: 40, Cost: .001},
	})
}

// small writes an evaluation with whatever a report shows: failures, a changed corpus, two judges of
// answers, and texts that neither Markdown nor HTML may show as they are.
func small(t *testing.T) writer {
	w := newWriter(t)
	draw := rand.New(rand.NewPCG(3, 3)) //nolint:gosec // test data
	var asked []evalrun.Question
	for i := range 8 {
		q := evalrun.Question{ID: fmt.Sprint("q", i+1), Text: fmt.Sprintf("What is said of %d?", i+1), Type: []string{"single|<b>", "multi"}[i%2], Answer: []string{"Yes", "Marley"}[i/2%2]}
		if i > 5 {
			q.Type, q.Answer = "null", ""
		} else {
			q.Documents = []string{"stave-1.txt", "stave-2.txt"}[:1+i%2]
		}
		asked = append(asked, w.question(q))
	}
	base := evalrun.Condition{Method: "basic", Corpus: "carol", State: "0123456789ab", Model: "model-1", Prompts: "fedcba987654", Version: "1.0"}
	old := base
	old.State = "before"
	w.condition(old)
	shown := []evalrun.Condition{w.condition(base)}
	for _, level := range []string{"0", "2"} {
		c := base
		c.Method, c.Settings = "global", map[string]string{"level": level}
		shown = append(shown, w.condition(c))
	}
	tokens := []int{7600, 6200, 20100}
	given := make([][]evalrun.Answer, len(shown))
	for i, c := range shown {
		for j, q := range asked {
			if i == 2 && j == 7 {
				w.fail(answers, evalrun.AnswerKey(c.Key(), q.Key()), "the server answered 500: <script>alert(1)</script> | \x1b[31m`")
				given[i] = append(given[i], evalrun.Answer{})
				continue
			}
			a := w.answer(c, q, tokens[i]+draw.IntN(500))
			given[i] = append(given[i], a)
			w.assess(a, q, i, draw)
		}
	}
	w.answer(old, asked[0], 9999)
	w.search(base, asked)
	for a := range shown {
		for b := a + 1; b < len(shown); b++ {
			for j := range asked {
				if given[b][j].Condition != "" {
					w.judgeBoth(given[a][j], given[b][j], b, draw)
				}
			}
		}
	}
	return w
}

// search adds the searches of three methods, one of them in an older state of the corpus too. One
// search fails.
func (w writer) search(base evalrun.Condition, asked []evalrun.Question) {
	older := base
	older.State = "before"
	for i, c := range []evalrun.Condition{older, base, base, base} {
		c.Search, c.Model, c.Prompts = true, "", ""
		switch i {
		case 2:
			c.Method = "fused"
		case 3:
			c.Settings = map[string]string{"length": "0.1"}
		}
		w.condition(c)
		for j, q := range asked {
			ranks := []int{1 + j%(2*i+1), 3 + (i+j)%3}[:len(q.Documents)]
			switch {
			case len(ranks) == 0:
			case i == 3 && j == 2:
				w.fail(searches, evalrun.SearchKey(c.Key(), q), "the index is not online")
			default:
				add(w, searches, evalrun.Search{Condition: c.Key(), Question: q.Key(), Evidence: q.Documents, Ranks: ranks, MSNeo4j: 20, MSGo: 2})
			}
		}
	}
}

// assess adds verdicts and claims.
func (w writer) assess(a evalrun.Answer, q evalrun.Question, condition int, draw *rand.Rand) {
	v := evalrun.Verdict{Answer: a.Key(), Kind: evalrun.VerdictCorrect, Judge: "judge-1", Correct: draw.IntN(4) < 2+condition}
	if q.ID == "q3" && condition == 0 {
		w.fail(verdicts, v.Key(), "no verdict after three attempts")
	} else {
		add(w, verdicts, v)
	}
	citations := 1 + draw.IntN(6)
	supported := draw.IntN(citations + 1)
	add(w, verdicts, evalrun.Verdict{
		Answer: a.Key(), Kind: evalrun.VerdictEvidence, Judge: "judge-1",
		Supported: supported, Partly: (citations - supported) / 2, Citations: citations, Covered: min(supported, 3), Statements: 3,
	})
	var found []string
	for i := range 4 + 4*condition + draw.IntN(4) {
		words := strings.Fields("Marley Scrooge ghost bell chain door night partner money clerk fire street")
		draw.Shuffle(len(words), func(x, y int) { words[x], words[y] = words[y], words[x] })
		found = append(found, fmt.Sprintf("%d %s", i, strings.Join(words[:5], " ")))
	}
	add(w, claims, evalrun.Claims{Answer: a.Key(), Extractor: "model-1", Claims: found})
}

// judgeBoth adds judgements in both orders, in which later conditions tend to win, except that they
// are less direct. One of them fails.
func (w writer) judgeBoth(x, y evalrun.Answer, later int, draw *rand.Rand) {
	for _, criterion := range []string{"overall", "directness", "comprehensiveness"} {
		for replicate := range 2 {
			better := 1 + one(draw.IntN(5) < 3)
			if criterion == "directness" {
				better = 1
			}
			w.judgement(x, y, criterion, replicate, better)
			backward := evalrun.Judgement{First: y.Key(), Second: x.Key(), Criterion: criterion, Replicate: replicate, Judge: "judge-1", Winner: 3 - better}
			switch {
			case later == 1 && replicate == 1 && criterion == "overall" && draw.IntN(3) == 0:
				w.fail(judgements, backward.Key(), "invalid JSON")
				continue
			case draw.IntN(4) == 0:
				backward.Winner = 0
			}
			add(w, judgements, backward)
		}
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// smallFolder is the evaluation of small, as a folder of the repository.
const smallFolder = "testdata/small"

func read(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
