package score

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

func TestIsOdd(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"q13": true, "q12": false, "": false, "q": false, "1": true} {
		if IsOdd(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}

// TestMeasure: the figures of single answers, where a declined one is right if the documents do not
// answer.
func TestMeasure(t *testing.T) {
	t.Parallel()
	question := evalrun.Question{Answer: "Clara Hale"}
	null := evalrun.Question{Type: "null", Answer: "Insufficient information"}
	yes, no := true, false
	for name, tt := range map[string]struct {
		answered Answered
		want     measures
	}{
		"exact":             {Answered{Question: question, Text: "**Clara Hale** [1]"}, measures{inFirst: 1, inAnswer: 1, words: 2, exact: 1, normalized: 1, f1: 1, accuracy: 1}},
		"normalized":        {Answered{Question: question, Text: "the clara hale."}, measures{inFirst: 1, inAnswer: 1, words: 3, normalized: 1, f1: 1, accuracy: 1}},
		"second line":       {Answered{Question: question, Text: "A painter.\n\nIt was Clara Hale. [2]"}, measures{inAnswer: 1, words: 6, f1: 2 * 2. / 7, accuracy: 1}},
		"other":             {Answered{Question: question, Text: "Adam"}, measures{words: 1}},
		"judged right":      {Answered{Question: question, Text: "Ms Hale", Correct: &yes}, measures{words: 2, f1: .5, accuracy: 1}},
		"judged wrong":      {Answered{Question: question, Text: "Clara Hale, or not", Correct: &no}, measures{inFirst: 1, inAnswer: 1, words: 4, f1: 2. / 3}},
		"declined wrongly":  {Answered{Question: question, Text: "Nothing answers.", Declined: true}, measures{}},
		"declined":          {Answered{Question: null, Text: "Nothing answers.", Declined: true}, measures{exact: 1, normalized: 1, f1: 1, accuracy: 1}},
		"not declined":      {Answered{Question: null, Text: "In Port Ellen. [1]"}, measures{words: 3}},
		"says it declines":  {Answered{Question: null, Text: "Insufficient information."}, measures{inFirst: 1, inAnswer: 1, words: 2, normalized: 1, f1: 1}},
		"judged a decliner": {Answered{Question: null, Text: "Insufficient information.", Correct: &yes}, measures{inFirst: 1, inAnswer: 1, words: 2, normalized: 1, f1: 1, accuracy: 1}},
	} {
		if diff := cmp.Diff(tt.want, measure(tt.answered), cmp.AllowUnexported(measures{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestBaselines: a constant answer is as good as the share of questions that it answers.
func TestBaselines(t *testing.T) {
	t.Parallel()
	questions := []evalrun.Question{{ID: "1", Answer: "Yes", Type: "multi"}, {ID: "2", Answer: "No", Type: "multi"}, {ID: "3", Answer: "yes, he did", Type: "single"}, {ID: "4", Type: "null"}}
	for judged, want := range map[bool][]float64{false: {.5, .25, .25}, true: {.25, .25, .25}} {
		lines := Baselines(questions, judged)
		for i, line := range lines {
			if got := line.Groups["all"].Accuracy.Mean; got != want[i] || !line.Constant {
				t.Errorf("%s: accuracy %v, want %v", line.Method, got, want[i])
			}
		}
		if null := lines[2].ByType["null"].Accuracy.Mean; null != 1 {
			t.Errorf("%s: accuracy %v of null questions", lines[2].Method, null)
		}
	}
}
