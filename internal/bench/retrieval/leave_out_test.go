package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/eval/stats"
)

// The weights are those that the other topics need: what these need alike carries over, and what
// one topic needs alone is lost on it.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	topics := []topic{
		{"rivers", []question{asked(6, brief), asked(6, titles)}},
		{"roads", []question{asked(6, brief), asked(6, titles)}},
		{"bridges", []question{asked(6, brief), asked(6, passages), asked(6, passages), asked(6, never)}},
	}
	want := []gain{
		{left: stats.Interval{Mean: .5, Low: 0, High: 1}, others: 4. / 6, tuned: 1},
		{left: stats.Interval{Mean: .5, Low: 0, High: 1}, others: 4. / 6, tuned: 1},
		{left: stats.Interval{Mean: .25, Low: 0, High: .75}, others: 1, tuned: .75},
	}
	shares := []float64{.75, .75, .25}
	rows, all := leftOut(topics)
	for i, r := range rows {
		r.recall.defaults = 0
		if diff := cmp.Diff(want[i], r.recall, cmp.AllowUnexported(gain{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.topic, diff)
		}
		if got := r.recall.share(); got != shares[i] {
			t.Errorf("%s: share %v, want %v", r.topic, got, shares[i])
		}
	}
	all.recall.defaults = 0
	together := gain{left: stats.Interval{Mean: .375, Low: 0, High: .75}, others: 5. / 6, tuned: .875}
	if diff := cmp.Diff(together, all.recall, cmp.AllowUnexported(gain{}), cmpopts.EquateApprox(0, 1e-12)); diff != "" || all.questions != 8 {
		t.Errorf("all %d questions (-want +got):\n%s", all.questions, diff)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	weights := equal
	weights.Title, weights.Length = 2, 0
	got := table([]row{
		{
			"rivers", 30, weights,
			gain{.652, stats.Interval{Mean: .05, Low: -.1, High: .2}, .1, .06, .08},
			gain{.6, stats.Interval{Mean: .1, Low: .01, High: .2}, .12, .1, .2},
		},
		{"roads", 8, equal, gain{bm25: 1, left: stats.Interval{Mean: -1e-17}, others: .1}, gain{bm25: 1}},
	}, row{topic: "all", questions: 38, recall: gain{bm25: .7, left: stats.Interval{Mean: .04}, others: .1}})
	golden := filepath.Join("testdata", "topics.md")
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("run with NEORAG_UPDATE=1 (-want +got):\n%s", diff)
	}
}
