package drift

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query"
)

// TestFollowUpQueue: the most promising question comes first, and none twice.
func TestFollowUpQueue(t *testing.T) {
	t.Parallel()
	order := func(seed uint64) []string {
		d := &driftSearch{Request: query.Request{Question: query.Question{Text: "Who sold the harbour?", Seed: seed}}}
		d.push([]FollowUp{{"Who was Alpha?", 50}, {"Harbour: who sold it?", 99}, {"Where did Beta live then?", 69}, {"Where did Beta live?", 70}, {"Nothing", 0}}, 1)
		d.push([]FollowUp{{"who was ALPHA", 90}, {"What burned?", 70}, {"Gamma?", 60}}, 2)
		d.push([]FollowUp{{"Too deep", 100}}, maxFollowUpDepth+1)
		var out []string
		for _, p := range d.queue {
			out = append(out, p.Question)
		}
		return out
	}
	if diff := cmp.Diff([]string{"Where did Beta live?", "What burned?", "Gamma?", "Who was Alpha?"}, order(0)); diff != "" {
		t.Errorf("queue (-want +got):\n%s", diff)
	}
	equal := func(seed uint64) string {
		d := &driftSearch{Request: query.Request{Question: query.Question{Seed: seed}}}
		d.push([]FollowUp{{"Alpha?", 5}, {"Beta?", 5}, {"Gamma?", 5}, {"Delta?", 5}}, 1)
		return d.queue[0].Question + d.queue[1].Question
	}
	first := equal(0)
	if first != equal(0) || first == equal(1) && first == equal(2) && first == equal(3) {
		t.Error("the seed does not decide between equals")
	}
}

// TestFollowUpsLeft: a note says how many follow-up questions were not asked at a limit.
func TestFollowUpsLeft(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		calls, tokens int
		want          []string
	}{
		"calls":  {2, 20_000, []string{"2 of 2 follow-up questions were not asked, because --max-calls was reached."}},
		"tokens": {10, 300, []string{"2 of 2 follow-up questions were not asked, because --max-tokens was reached."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &driftSearch{calls: 1, Request: query.Request{Question: query.Question{Text: "Who sold it?"}}, maxCalls: tc.calls, maxTokens: tc.tokens}
			d.push([]FollowUp{{"Who was Alpha?", 50}, {"Where did Beta live?", 70}}, 1)
			if err := d.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, d.notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
