package headtohead_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/headtohead"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// newJudge returns a judge with a cache, and its server.
func newJudge(t *testing.T, o llmtest.Options) (headtohead.Judge, *llmtest.Server) {
	t.Helper()
	if o.Handler == nil {
		o.Handler = fakemodel.Handler
	}
	server := llmtest.New(o)
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return headtohead.Judge{Chat: llm.New(llm.Config{Provider: client.Chat(), Cache: &llm.Cache{Dir: t.TempDir()}, Price: llm.Price{In: 1, Out: 1}})}, server
}

var (
	long  = "Tobias Reed kept the books of the museum [1]. Clara Hale opened it [2][3]. Nobody knows who set the fire."
	short = "Clara Hale. [4]"
)

// TestCompare compares a long answer with a short one by each criterion, in both orders.
func TestCompare(t *testing.T) {
	t.Parallel()
	judge, server := newJudge(t, llmtest.Options{})
	got := map[string][2]int{}
	for _, criterion := range headtohead.Criteria() {
		var winners [2]int
		for i, pair := range []headtohead.AnswerPair{{"Who opened the museum?", long, short}, {"Who opened the museum?", short, long}} {
			j, err := judge.Compare(t.Context(), pair, criterion, 0)
			if err != nil {
				t.Fatal(err)
			}
			if j.Reasoning == "" || j.Judge != judge.Identity() || j.Usage.Calls != 1 || j.Usage.TokensIn == 0 || j.Usage.Cost == 0 {
				t.Errorf("%s: %+v", criterion, j)
			}
			winners[i] = j.Winner
		}
		got[criterion] = winners
	}
	want := map[string][2]int{"comprehensiveness": {1, 2}, "diversity": {1, 2}, "empowerment": {1, 2}, "directness": {2, 1}, "overall": {1, 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("winners (-want +got):\n%s", diff)
	}
	for _, r := range server.Requests() {
		for _, m := range r.Messages {
			if strings.Contains(m.Content, "[1]") || strings.Contains(m.Content, "[4]") {
				t.Errorf("the judge sees references:\n%s", m.Content)
			}
		}
		if fakemodel.Task(r) != prompts.HeadToHead || !strings.Contains(r.Messages[1].Content, "Clara Hale opened it.") {
			t.Errorf("task %s:\n%s", fakemodel.Task(r), r.Messages[1].Content)
		}
	}
	if _, err := judge.Compare(t.Context(), headtohead.AnswerPair{}, "beauty", 0); err == nil || !strings.Contains(err.Error(), "comprehensiveness, diversity") {
		t.Errorf("an unknown criterion: %v", err)
	}
}

// TestReplicates expects that each replicate is a call with another seed, and that a judgement which
// is made again comes from the cache and reports what it took.
func TestReplicates(t *testing.T) {
	t.Parallel()
	judge, server := newJudge(t, llmtest.Options{})
	pair := headtohead.AnswerPair{Question: "Who opened the museum?", First: long, Second: short}
	var first []evalrun.Judgement
	for replicate := range 3 {
		j, err := judge.Compare(t.Context(), pair, "overall", replicate)
		if err != nil {
			t.Fatal(err)
		}
		first = append(first, j)
	}
	seeds := map[int64]bool{}
	for _, r := range server.Requests() {
		if r.Seed == nil || r.Temperature == 0 {
			t.Fatalf("seed %v, temperature %v: replicates would not differ", r.Seed, r.Temperature)
		}
		seeds[*r.Seed] = true
	}
	if len(seeds) != 3 {
		t.Errorf("%d seeds, want 3", len(seeds))
	}
	server.Reset()
	for replicate, want := range first {
		again, err := judge.Compare(t.Context(), pair, "overall", replicate)
		if diff := cmp.Diff(want, again); err != nil || diff != "" {
			t.Errorf("replicate %d again: %v (-want +got):\n%s", replicate, err, diff)
		}
	}
	if n := len(server.Requests()); n > 0 {
		t.Errorf("%d calls for what is in the cache", n)
	}
}

// TestUnusableJudgements checks which answers of a judge count, and that others are asked for again
// once and then fail.
func TestUnusableJudgements(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]int{
		`{"reasoning": "r", "winner": 2}`:                2,
		`{"reasoning": "r", "winner": "1"}`:              1,
		`{"reasoning": "r", "winner": "Answer 2"}`:       2,
		"```json\n{\"reasoning\":\"r\",\"winner\":0}```": 0,
		`{"reasoning": "r", "winner": 3}`:                -1,
		`{"reasoning": "r", "winner": null}`:             -1,
		`{"reasoning": " ", "winner": 1}`:                -1,
		`{"winner": 1}`:                                  -1,
		"Answer 1 is better.":                            -1,
	} {
		judge, server := newJudge(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: answer} }})
		j, err := judge.Compare(t.Context(), headtohead.AnswerPair{Question: "q", First: "a", Second: "b"}, "overall", 0)
		calls := len(server.Requests())
		if want < 0 && (err == nil || calls != 2) || want >= 0 && (err != nil || j.Winner != want || calls != 1) {
			t.Errorf("%s: winner %d, %v after %d calls, want %d", answer, j.Winner, err, calls, want)
		}
	}
}

// TestPromptsChangeTheJudge expects that another prompt makes another judge.
func TestPromptsChangeTheJudge(t *testing.T) {
	t.Parallel()
	judge, _ := newJudge(t, llmtest.Options{})
	other := judge
	other.Prompts = prompts.Set{Dir: folder(t, map[string]string{prompts.CriterionOverall + ".md": "Overall: which one is nicer?"})}
	if judge.Identity() == other.Identity() {
		t.Errorf("both are %s", judge.Identity())
	}
}
