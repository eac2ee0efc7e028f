package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// rowsOf are reports that tell of names.
func rowsOf(names ...string) []neo4jstore.ReportRow {
	var rows []neo4jstore.ReportRow
	for i, name := range names {
		rows = append(rows, neo4jstore.ReportRow{
			Report:    graph.Report{Key: "c/" + name, Title: name, Summary: name + " is told of.", Size: i + 1},
			Community: graph.Community{Key: name},
		})
	}
	return rows
}

func TestRatings(t *testing.T) {
	t.Parallel()
	got, err := ratingsOf(`{"ratings": [{"report": "2", "score": 9}, {"report": 1, "score": "3"}]}`, 2)
	if diff := cmp.Diff([]int{3, 5}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for name, bad := range map[string]string{
		"no list": `[]`, "one is missing": `{"ratings": [{"report": 1, "score": 1}]}`,
		"one that is not there": `{"ratings": [{"report": 1, "score": 1}, {"report": 3, "score": 1}]}`,
		"no number":             `{"ratings": [{"report": 1, "score": "high"}, {"report": 2, "score": 1}]}`,
	} {
		if _, err := ratingsOf(bad, 2); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if diff := cmp.Diff([]span{{0, 16}, {16, 33}, {33, 50}}, batchesOf(50, 24), cmp.AllowUnexported(span{})); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
}

// TestCloseness: what is near below a community makes the way to it near.
func TestCloseness(t *testing.T) {
	t.Parallel()
	communities := []graph.Community{{Key: "root"}, {Key: "mid", Parent: "root"}, {Key: "leaf", Parent: "mid"}, {Key: "other"}, {Key: "twin", Parent: "root"}}
	hits := []neo4jstore.Hit{{Owner: "leaf", Score: 8}, {Owner: "mid", Score: 4}, {Owner: "other", Score: 6}, {Owner: "twin", Score: 2}}
	c := newCloseness(hits, communities, leastWords)
	if diff := cmp.Diff(map[string]float64{"root": 1, "mid": 1, "leaf": 1, "other": .75, "twin": .25}, c.reach); diff != "" {
		t.Errorf("reach (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"leaf", "other"}, c.closest(5)); diff != "" {
		t.Errorf("closest: none inside another, none far (-want +got):\n%s", diff)
	}
	if got := newCloseness(nil, communities, leastWords); len(got.reach) != 0 || len(got.closest(5)) != 0 {
		t.Errorf("nothing found: got %+v", got)
	}
}

func TestViewsOf(t *testing.T) {
	t.Parallel()
	got := viewsOf([]neo4jstore.ReportSize{{Level: 0, Count: 2, Tokens: 20}, {Level: 0, Final: true, Count: 3, Tokens: 9}, {Level: 1, Final: true, Count: 5, Tokens: 50}})
	if diff := cmp.Diff([]LevelSize{{0, 5, 29}, {1, 8, 59}}, got); diff != "" {
		t.Errorf("views (-want +got):\n%s", diff)
	}
}

// TestDrillQueue asks the most promising question first, and none twice.
func TestDrillQueue(t *testing.T) {
	t.Parallel()
	order := func(seed uint64) []string {
		d := &drill{request: request{Question: Question{Seed: seed}}, seen: map[string]bool{normalised("Who sold the harbour?"): true}}
		d.push([]FollowUp{{"Who was Alpha?", 50}, {"Harbour: who sold it?", 99}, {"Where did Beta live?", 70}, {"Nothing", 0}}, 1)
		d.push([]FollowUp{{"who was ALPHA", 90}, {"What burned?", 70}, {"Gamma?", 60}}, 2)
		d.push([]FollowUp{{"Too deep", 100}}, followDepth+1)
		var out []string
		for _, w := range d.queue {
			out = append(out, w.Question)
		}
		return out
	}
	if diff := cmp.Diff([]string{"Where did Beta live?", "What burned?", "Gamma?", "Who was Alpha?"}, order(0)); diff != "" {
		t.Errorf("queue (-want +got):\n%s", diff)
	}
	equal := func(seed uint64) string {
		d := &drill{request: request{Question: Question{Seed: seed}}, seen: map[string]bool{}}
		d.push([]FollowUp{{"Alpha?", 5}, {"Beta?", 5}, {"Gamma?", 5}, {"Delta?", 5}}, 1)
		return d.queue[0].Question + d.queue[1].Question
	}
	first := equal(0)
	if first != equal(0) || first == equal(1) && first == equal(2) && first == equal(3) {
		t.Error("the seed does not decide between equals")
	}
}

func TestFollowUpsOf(t *testing.T) {
	t.Parallel()
	got, err := followUpsOf(`{"points": [], "follow_ups": [{"question": "A?", "score": "20"}, {"question": " ", "score": 1}, {"question": "B\n?", "score": 140}]}`)
	if diff := cmp.Diff([]FollowUp{{"B ?", 100}, {"A?", 20}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{`[]`, `{"follow_ups": [{"question": "A?", "score": "NaN"}]}`, `{"follow_ups": 3}`} {
		if _, err := followUpsOf(bad); err == nil {
			t.Errorf("%s: got no error", bad)
		}
	}
}
